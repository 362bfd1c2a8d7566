"""Answers that are kept on disk, beside the compiled programs: what they depend on, and room for so many."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
from importlib import metadata
from pathlib import Path

from jace.build import digest, toolchain
from jace_repro.repro import large
from jace_repro.repro.file import write_file

#: Files of one kind that are kept; the least recently written go first.
MAX_FILES = 20_000
_PRUNE_EVERY = 1024
_PACKAGES = ("jax", "jaxlib", "numpy", "ml_dtypes")
_VARIABLES = ("XLA_FLAGS", "JAX_PLATFORMS")
_SOURCES = frozenset({".py", ".h", ".cc", ".json"})


def surroundings() -> str:
    """A digest of what decides JAX's answer besides the program: versions, processor, flags.

    Raises:
        CompileError: there is no C++ compiler, by which the processor is known.
    """
    flags = [os.environ.get(name, "") for name in _VARIABLES]
    return digest(_versions(), toolchain().identity, str(os.cpu_count()), *flags)


def script_digest(path: Path) -> str | None:
    """A digest of a script and its data; None where it has large arrays, which take as long to read as to run.

    Raises:
        OSError, UnicodeError: they cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    if large.takes(text):
        return None
    data = path.with_suffix(".npz")
    return digest(text, hashlib.sha256(data.read_bytes() if data.exists() else b"").hexdigest())


@functools.cache
def sources(*roots: Path) -> str:
    """A digest of the sources of packages: a better release of them answers anew."""
    files = sorted(path for root in roots for path in root.rglob("*.*") if path.suffix in _SOURCES)
    return digest(*(path.read_text(encoding="utf-8") for path in files))


@functools.cache
def _versions() -> str:
    return " ".join([platform.python_version(), *(f"{name}={metadata.version(name)}" for name in _PACKAGES)])


def keep(path: Path, data: bytes) -> None:
    """Keep an answer at FOLDER/PART/KEY, KEY in hexadecimal. On a full or read-only disk it is not kept."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)
        if int(path.name[:8], 16) % _PRUNE_EVERY == 0:
            prune(path.parents[1])


def prune(folder: Path, keep: int = MAX_FILES) -> int:
    """Delete the oldest answers until at most `keep` remain; answer how many went."""
    aged = []
    for file in folder.glob("*/*"):
        with contextlib.suppress(FileNotFoundError):  # another process has deleted it
            aged.append((file.stat().st_mtime, file))
    gone = sorted(aged)[: max(0, len(aged) - keep)]
    for _, file in gone:
        file.unlink(missing_ok=True)
    return len(gone)
