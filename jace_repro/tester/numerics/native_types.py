"""Numbers of a program's own dtypes in NumPy: integers of any width in 64 bits, subnormal numbers as XLA has them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import ml_dtypes
import numpy as np

Array = Any
#: (parameters, *operands) -> array or list of arrays.
Op = Callable[..., Any]

#: Integer types and how many bits they have.
_WIDTHS = {f"{sign}int{width}": width for sign in ("", "u") for width in (2, 4, 8, 16, 32, 64)}
#: Types whose subnormal numbers XLA takes for zeros.
_FLUSHED: Mapping[str, float] = {
    "float32": float(np.finfo(np.float32).tiny),
    "float64": float(np.finfo(np.float64).tiny),
    "bfloat16": float(ml_dtypes.finfo(ml_dtypes.bfloat16).tiny),  # type: ignore[no-untyped-call]
}
#: Whether subnormal numbers are what they are.
_KEEPS: ContextVar[bool] = ContextVar("keeps_subnormals", default=False)


@contextmanager
def keeping_subnormals() -> Iterator[None]:
    """Within, subnormal numbers are no zeros: as IEEE 754 has them, and LLVM where it decides by a number's bits."""
    token = _KEEPS.set(True)
    try:
        yield
    finally:
        _KEEPS.reset(token)


@functools.cache
def _name(dtype: Any) -> str:
    """The name of a type: NumPy makes it anew each time."""
    return np.dtype(dtype).name


def is_integer(dtype: Any) -> bool:
    """Whether `dtype` is an integer type, those of 2 and 4 bits included."""
    return _name(dtype) in _WIDTHS


def bits_of(dtype: Any) -> int:
    """Width of an integer type."""
    return _WIDTHS[_name(dtype)]


def widened(x: Array) -> Array:
    """An integer array as int64 or uint64."""
    return x.astype(np.uint64 if _name(x.dtype).startswith("u") else np.int64)


def narrow(x: Array, dtype: Any) -> Array:
    """A 64-bit result wrapped to its type."""
    return np.asarray(x).astype(dtype)


def flush(x: Array) -> Array:
    """Subnormal numbers as zeros of their sign, where XLA has them so."""
    tiny = _FLUSHED.get(_name(x.dtype))
    if tiny is None or _KEEPS.get():
        return x
    return np.where(np.abs(x) < np.asarray(tiny, x.dtype), np.copysign(np.asarray(0, x.dtype), x), x)


def raw_bits(a: Array) -> Array:
    """The bits of an integer as uint64, zero-extended."""
    width = bits_of(a.dtype)
    return widened(a).astype(np.uint64) & np.uint64(2**width - 1)


def comparable(x: Array) -> Array:
    """Numbers of the small types as NumPy's own, subnormal ones as zeros."""
    if is_integer(x.dtype):
        return widened(x)
    if x.dtype.kind in "cb":
        return x
    return flush(x).astype(np.float64)
