"""What plain JAX answers, remembered on disk: a program that was tested before is not compiled by XLA again.

An entry is keyed by all that decides the answer (jaxpr, inputs, JAX's configuration, versions, the machine) and
carries its own checksum. It saves time only when DaCe agrees with it: who sees a difference asks XLA anew
(`check.trial`), so that a stale entry can accuse nobody. `JACE_CACHE=0` switches it off, and what
calls out of the program (callbacks, foreign functions) is never remembered.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jaxlib.version
import numpy as np

from jace.build import default_cache, digest, toolchain
from jace.errors import CompileError
from jace.ir import dtype_named, fingerprint, primitives
from jace_repro.repro import current_config, write_file
from jace_repro.repro.large import raw
from jace_repro.tester.execute import xla
from jace_repro.tester.execute.traced import TracedProgram

#: Answers with more bytes take longer to read than they save, and fill the disk.
MAX_BYTES = 1 << 20
#: Files that are kept; the least recently written go first.
MAX_FILES = 20_000
_PRUNE_EVERY = 1024
_CALLS_OUT = ("callback", "ffi_call", "custom_call", "infeed", "outfeed")

_Array = np.ndarray[Any, Any]


def recall(prog: TracedProgram) -> tuple[list[_Array], bool]:
    """The program's outputs under jax.jit, and whether they were remembered. Raises what the program raises."""
    path = _path(prog)
    if path is not None and (known := _read(path)) is not None:
        return known, True
    outputs = xla.run_reference(prog)
    if path is not None:
        _write(path, outputs)
    return outputs, False


def ask(prog: TracedProgram) -> tuple[list[_Array], bool]:
    """As `recall`, always asking XLA."""
    return xla.run_reference(prog), False


def _path(prog: TracedProgram) -> Path | None:
    """The file of a program's answer; None when nothing is to be remembered."""
    cache = default_cache()
    if cache is None or prog.closed.effects:
        return None
    if any(word in name for name in primitives(prog.closed) for word in _CALLS_OUT):
        return None
    try:
        machine = toolchain().identity
    except CompileError:  # nothing compiles here, and jace will say so
        return None
    inputs = hashlib.sha256()
    for array in prog.flat:
        inputs.update(f"{array.dtype.name}{array.shape}".encode())
        inputs.update(raw(array).data)
    flags = [os.environ.get(name, "") for name in ("XLA_FLAGS", "JAX_PLATFORMS")]
    versions = f"{jax.__version__} {jaxlib.version.__version__} {np.__version__}"
    config = json.dumps(current_config(), sort_keys=True, default=str)
    where = f"{machine} {os.cpu_count()}"
    key = digest(fingerprint(prog.closed), inputs.hexdigest(), config, versions, where, *flags)
    return cache.root / "references" / key[:2] / key


def _read(path: Path) -> list[_Array] | None:
    """The arrays of a file; None when it is missing or damaged."""
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            return None
        head, _, rest = data[32:].partition(b"\n")
        outputs, start = [], 0
        for name, shape in json.loads(head):
            dtype = dtype_named(name)
            size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            outputs.append(np.frombuffer(rest[start : start + size], dtype).reshape(shape).copy())
            start += size
    except (OSError, ValueError, KeyError, TypeError):
        return None  # as good as missing: it is made anew
    return outputs


def _write(path: Path, outputs: Sequence[_Array]) -> None:
    if sum(out.nbytes for out in outputs) > MAX_BYTES:
        return
    head = json.dumps([[out.dtype.name, list(out.shape)] for out in outputs]).encode()
    body = head + b"\n" + b"".join(np.ascontiguousarray(out).tobytes() for out in outputs)
    with contextlib.suppress(OSError):  # a full or read-only disk: the next run asks XLA again
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, hashlib.sha256(body).digest() + body)
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
