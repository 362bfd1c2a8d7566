"""Loading compiled programs, and calling them on NumPy arrays."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import itertools
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jace.build import shim
from jace.build.cache import digest
from jace.build.program import ProgramLike, symbols
from jace.errors import CompileError, JaceError

_ALIGNMENT = 64
#: Where `Library.call_direct` puts an output of so many bytes; None for a block of its own.
_place: ContextVar[Callable[[int], np.ndarray[Any, Any]] | None] = ContextVar("place", default=None)


@dataclass(frozen=True)
class Signature:
    """What a program is called with: (shape, dtype) of each input and output, rank 0 included."""

    name: str
    inputs: tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
    outputs: tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]

    @classmethod
    def of(cls, program: ProgramLike) -> Signature:
        """The signature of a program, under the name its symbols carry."""
        return cls(
            program.sdfg.name,
            tuple((tuple(b.shape), np.dtype(b.dtype)) for b in program.inputs),
            tuple((tuple(b.shape), np.dtype(b.dtype)) for b in program.outputs),
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "name": self.name,
            "inputs": [[list(s), d.name] for s, d in self.inputs],
            "outputs": [[list(s), d.name] for s, d in self.outputs],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Signature:
        """The inverse of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: if the value is not what `to_json` wrote.
        """

        def read(pairs: Any) -> tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]:
            return tuple((tuple(int(n) for n in shape), _dtype(name)) for shape, name in pairs)

        return cls(str(value["name"]), read(value["inputs"]), read(value["outputs"]))


def _dtype(name: str) -> np.dtype[Any]:
    from jace.dtypes import dtype_named

    return dtype_named(name)


@contextlib.contextmanager
def _patient_openmp() -> Iterator[None]:
    """Let the OpenMP runtime, which reads its environment when it is first loaded, wait without spinning.

    XLA calls a program from several threads, each with an OpenMP team of its own. Teams that spin at barriers
    keep one another from the cores: 7 ms instead of 0.2 ms a call on 2 cores. A policy the user chose stays.
    """
    if "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        yield
    finally:
        del os.environ["OMP_WAIT_POLICY"]


@dataclass(frozen=True)
class Loaded:
    """The proof that compiled code ran.

    Attributes:
        file: the shared library that was loaded.
        sha256: of its content when it was loaded.
        calls: how often it was called in this process and came back, as the C side counts.
        conditional: whether a call of the function may do without it: it is part of a branch, or of a loop's body.
    """

    file: str
    sha256: str
    calls: int
    conditional: bool = False


class Library:
    """A loaded program. Calls are thread-safe and release the GIL."""

    def __init__(
        self,
        dll: ctypes.CDLL,
        key: str,
        signature: Signature,
        source: str | None,
        externals: tuple[str, ...],
        path: Path,
    ) -> None:
        self.key = key
        self.path = path
        self._sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self.signature = signature
        self.source = source
        self.externals = externals
        self.call_key = int(digest(key, signature.name)[:16], 16) >> 1  # fits a signed 64-bit attribute
        self._dll = dll  # keeps the code mapped
        self._execute = shim.execute
        call, init, exit_ = (getattr(dll, name) for name in symbols(signature.name))
        shim.register(self.call_key, call, init, exit_, len(signature.inputs), len(signature.outputs))

    @classmethod
    def load(
        cls, path: Path, key: str, signature: Signature, source: str | None, externals: tuple[str, ...] = ()
    ) -> Library:
        """Load a shared library. The same content is loaded once a process.

        Args:
            externals: names of the C functions that the program asks for (`jace.build.externals`).
        Raises:
            CompileError: if the file cannot be loaded, lacks the program's entry points, or needs an external
                function that is not there.
        """
        with _loaded_lock:
            if (known := _loaded.get((key, signature))) is not None:
                return known
            shim.load()  # before the program: it brings libstdc++
            shim.provide(externals)
            try:
                with _patient_openmp():
                    dll = ctypes.CDLL(str(path), mode=os.RTLD_LOCAL | os.RTLD_NOW)
                library = cls(dll, key, signature, source, externals, path)
            except (OSError, AttributeError) as error:
                raise CompileError(f"the compiled program cannot be loaded: {error}") from error
            _loaded[(key, signature)] = library
            return library

    @property
    def loaded(self) -> Loaded:
        """What was loaded, and how often it has run."""
        return Loaded(str(self.path), self._sha256, shim.calls(self.call_key))

    def call_direct(self, arrays: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        """Run on NumPy arrays, one an input, without XLA.

        Args:
            arrays: values of the inputs' shapes and dtypes (typed keys as their uint32 data).
        Returns:
            Fresh arrays, one an output, aligned to 64 bytes.
        Raises:
            TypeError: for a wrong number of arrays, a wrong shape or a wrong dtype.
            JaceError: if the program fails (no memory for its temporaries).
        """
        inputs = [self._check(i, a) for i, a in self._pairs(arrays)]
        fresh = _exactly_empty if has_sanitizer() else aligned_empty
        outputs = [fresh(shape, dtype) for shape, dtype in self.signature.outputs]
        pointers = (ctypes.c_void_p * (len(inputs) + len(outputs)))(
            *(a.ctypes.data for a in itertools.chain(inputs, outputs))
        )
        status = self._execute(self.call_key, pointers)
        if status != 0:
            reason = {1: "no memory for its temporaries", 2: "a C++ exception left it"}.get(
                status, "not loaded"
            )
            raise JaceError(f"the compiled program '{self.signature.name}' failed: {reason}")
        return outputs

    def _pairs(self, arrays: Sequence[Any]) -> Any:
        if len(arrays) != len(self.signature.inputs):
            raise TypeError(
                f"'{self.signature.name}' takes {len(self.signature.inputs)} arrays, not {len(arrays)}"
            )
        return enumerate(arrays)

    def _check(self, i: int, value: Any) -> np.ndarray[Any, Any]:
        shape, dtype = self.signature.inputs[i]
        array = np.asarray(value)
        if array.shape != shape or array.dtype != dtype:
            raise TypeError(
                f"argument {i} of '{self.signature.name}' must be {dtype.name}{list(shape)}, "
                f"not {array.dtype.name}{list(array.shape)}"
            )
        return np.asarray(array, order="C")


_loaded: dict[tuple[str, Signature], Library] = {}
_loaded_lock = threading.RLock()


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An uninitialised C-ordered array whose data starts at a multiple of 64 bytes."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return (_place.get() or _aligned_bytes)(size).view(dtype).reshape(shape)


def _aligned_bytes(size: int) -> np.ndarray[Any, Any]:
    raw = np.empty(size + _ALIGNMENT, dtype=np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return raw[start : start + size]


@contextlib.contextmanager
def placing(place: Callable[[int], np.ndarray[Any, Any]]) -> Iterator[None]:
    """Within, `Library.call_direct` puts outputs where somebody says, who looks at what lies around them.

    Of calls on this thread, in a process without AddressSanitizer.

    Args:
        place: of a number of bytes: as many, uint8, the first at a multiple of 64.
    """
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def _exactly_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """As `aligned_empty`, in a block of the C allocator that ends where the array does.

    AddressSanitizer then notices the first byte written behind it; in a larger block it would not.
    """
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    libc = ctypes.CDLL(None)
    address = ctypes.c_void_p()
    if libc.posix_memalign(ctypes.byref(address), ctypes.c_size_t(_ALIGNMENT), ctypes.c_size_t(size)) != 0:
        raise JaceError(f"no memory for an output of {size} bytes")
    block: Any = (ctypes.c_uint8 * size).from_address(address.value or 0)
    weakref.finalize(block, libc.free, ctypes.c_void_p(address.value))
    return np.frombuffer(block, np.uint8).view(dtype).reshape(shape)


@functools.cache
def has_sanitizer() -> bool:
    """Whether this process runs with AddressSanitizer (it is preloaded for sanitized builds)."""
    return hasattr(ctypes.CDLL(None), "__asan_init")
