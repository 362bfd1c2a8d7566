"""Large arrays: each lies in a file of its own, named after its content, beside the scripts that read it.

An array that many scripts take is one file (a hard link to it in other folders). It is mapped into memory and not read:
what only hands it on has no copy of it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

#: Bytes from which on an array has a file of its own; smaller ones share the sidecar of their script.
LARGE = 1 << 20
#: Bytes that are hashed, written or compared at a time.
_STEP = 1 << 24
#: The line of a script that says which arrays these are.
_TABLE = re.compile(r'^LARGE = \{(?:\}|\n(?:    "\w+": "[0-9a-f]{64}",\n)*\})$', re.MULTILINE)
_ROW = re.compile(r'^    "(\w+)": "([0-9a-f]{64})",$', re.MULTILINE)


def is_large(array: _Array) -> bool:
    """Whether an array has a file of its own; those of NumPy's own dtypes may have."""
    return array.nbytes >= LARGE and array.dtype.kind in "biufc" and array.dtype.isbuiltin == 1


def file_name(sha256: str) -> str:
    """The name of the file with this checksum."""
    return f"array-{sha256[:16]}.npy"


def checksum(array: _Array) -> str:
    """SHA-256 (hex) of the file that an array has, or would have."""
    source = file_of(array)
    if source is not None:
        return _verified(source)
    digest = hashlib.sha256(_head(array))
    for part in _parts(array):
        digest.update(part.data)
    return digest.hexdigest()


def put(array: _Array, folder: Path, sha256: str, others: Iterable[Path] = ()) -> bool:
    """Have the file of an array in a folder; whether it took room, and is no link to one of the `others`.

    Raises OSError, and leaves no part of it.
    """
    path = folder / file_name(sha256)
    if path.exists():
        return False
    folder.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    source = file_of(array)
    try:
        for other in (*others, *([source] if source is not None else [])):
            with contextlib.suppress(OSError):  # gone meanwhile, or a file system without links
                os.link(other, temporary)
                temporary.replace(path)
                return False
        with temporary.open("wb") as file:
            file.write(_head(array))
            for part in _parts(array):
                file.write(part.data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return True


def mapped(path: Path) -> _Array:
    """The array in a file, which cannot be written to. Raises OSError and ValueError."""
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def file_of(array: _Array) -> Path | None:
    """The file that an array is the whole of, in memory; None for any other array."""
    base: Any = array
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    if not isinstance(base, np.memmap) or base.filename is None:
        return None
    whole = (base.dtype, base.shape, base.ctypes.data) == (array.dtype, array.shape, array.ctypes.data)
    path = Path(base.filename)
    return path if whole and array.flags.c_contiguous and path.exists() else None


def read(source: str, script: Path) -> dict[str, _Array]:
    """The large arrays of a script.

    Raises:
        OSError: one cannot be read.
        LookupError: one is missing, or is not that which the script was saved with.
    """
    found = {}
    for name, sha256 in said(source).items():
        path = script.with_name(file_name(sha256))
        if not path.exists():
            raise LookupError(f"its arrays are missing: {path.name} should lie beside it")
        if _verified(path) != sha256:
            raise LookupError(f"{path.name} is not the file it was saved with (sha256 differs)")
        found[name] = mapped(path)
    return found


def said(source: str) -> dict[str, str]:
    """The checksums of its large arrays, by name, as a script has them."""
    table = _TABLE.search(source)
    return {} if table is None else dict(_ROW.findall(table[0]))


def takes(source: str) -> bool:
    """Whether a script reads large arrays from files of their own; one that was written without any does not."""
    return _TABLE.search(source) is not None


def saying(source: str, checksums: Mapping[str, str]) -> str:
    """A script with these large arrays, if it takes any."""
    rows = "".join(f'    "{name}": "{sha256}",\n' for name, sha256 in sorted(checksums.items()))
    table = f"LARGE = {{\n{rows}}}" if rows else "LARGE = {}"
    return _TABLE.sub(lambda _: table, source, count=1)


def raw(array: _Array) -> _Array:
    """The bytes of an array, in order; no copy of one that lies in order already."""
    if not array.nbytes:  # also of the type without a value, float0
        return np.empty(0, np.uint8)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def same_bytes(one: _Array, other: _Array) -> bool:
    """Whether two arrays have the same bytes."""
    if max(one.nbytes, other.nbytes) <= _STEP:
        return one.tobytes() == other.tobytes()
    a, b = raw(one), raw(other)
    starts = range(0, a.size, _STEP)
    return a.size == b.size and all(np.array_equal(a[i : i + _STEP], b[i : i + _STEP]) for i in starts)


def _head(array: _Array) -> bytes:
    """What the file begins with."""
    buffer = io.BytesIO()
    said = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(buffer, said)
    return buffer.getvalue()


def _parts(array: _Array) -> Iterator[_Array]:
    data = raw(array)
    for start in range(0, data.size, _STEP):
        yield data[start : start + _STEP]


def _verified(path: Path) -> str:
    """The checksum of a file; one that has not changed is read once."""
    status = path.stat()
    return _checksum(path, status.st_ino, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=1024)
def _checksum(path: Path, *status: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
