"""Scripts that have been found exact before, beside the compiled programs: an equal one is not run again.

A script is equal when its text, its data, the versions and all that decides what JAX computes are. `JACE_CACHE=0`
switches it off. Only "exact" is remembered.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
from importlib import metadata
from pathlib import Path

from jace.build import default_cache, digest, toolchain
from jace.errors import CompileError
from jace_repro.repro import large, write_file

_PACKAGES = ("jax", "jaxlib", "numpy", "ml_dtypes")
_FLAGS = ("XLA_FLAGS", "JAX_PLATFORMS")


def file_of(path: Path) -> Path | None:
    """Where it is remembered that the script at `path`, as it is now, is exact.

    None when nothing is to be: the script or its data cannot be read, or it has large arrays, which take as long to
    read as to run.
    """
    cache = default_cache()
    if cache is None:
        return None
    try:
        text = path.read_text(encoding="utf-8")
        if large.takes(text):
            return None
        data = path.with_suffix(".npz")
        sidecar = data.read_bytes() if data.exists() else b""
        flags = [os.environ.get(name, "") for name in _FLAGS]
        key = digest(text, hashlib.sha256(sidecar).hexdigest(), _machine(), json.dumps(flags))
    except (OSError, CompileError):
        return None
    return cache.root / "self-checks" / key[:2] / key


def remember(file: Path) -> None:
    """Remember it. Where nothing can be written, the script is checked again next time."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, b"")


@functools.cache
def _machine() -> str:
    """The versions, the processor and the sources that decide what a self-check says."""
    versions = [f"{name}={metadata.version(name)}" for name in _PACKAGES]
    own = (Path(__file__).with_name("driver.py"), Path(__file__).with_name("check.py"))
    sources = [file.read_text(encoding="utf-8") for file in own]
    return digest(*versions, platform.python_version(), toolchain().identity, str(os.cpu_count()), *sources)
