"""NumPy dtypes as C++ types of the runtime header and as DaCe types: one table.

Small dtypes (integers of 2 and 4 bits, floats of 4 and 8) have C++ types in `build/runtime/small.h`; to DaCe they
are uint8. They take one byte an element in NumPy arrays and in our buffers; XLA packs those below 8 bits (`packed`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

DType = np.dtype[Any]
_limits: Any = ml_dtypes  # its iinfo and finfo are not annotated

_TABLE: dict[DType, tuple[str, str]] = {
    np.dtype(name): names
    for name, names in {
        "bool": ("bool", "bool_"),
        "int8": ("jace::i8", "int8"),
        "int16": ("jace::i16", "int16"),
        "int32": ("jace::i32", "int32"),
        "int64": ("jace::i64", "int64"),
        "uint8": ("jace::u8", "uint8"),
        "uint16": ("jace::u16", "uint16"),
        "uint32": ("jace::u32", "uint32"),
        "uint64": ("jace::u64", "uint64"),
        "float16": ("jace::f16", "float16"),
        "float32": ("jace::f32", "float32"),
        "float64": ("jace::f64", "float64"),
        "complex64": ("jace::c64", "complex64"),
        "complex128": ("jace::c128", "complex128"),
    }.items()
}
_TABLE[np.dtype(ml_dtypes.bfloat16)] = ("jace::bf16", "bfloat16")

_SMALL_INTEGERS = ("int2", "int4", "uint2", "uint4")
_SMALL_FLOATS = (
    "float4_e2m1fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
)
for _name in _SMALL_INTEGERS:
    _TABLE[np.dtype(getattr(ml_dtypes, _name))] = (f"jace::{_name[0]}{_name[-1]}", "uint8")
for _name in _SMALL_FLOATS:
    _TABLE[np.dtype(getattr(ml_dtypes, _name))] = (f"jace::{_name.replace('float', 'f')}", "uint8")

#: Dtypes of ml_dtypes and JAX that have no C++ type here, and why.
WITHOUT_TYPE: dict[str, str] = {
    "int1": "XLA CPU does not run it: it reads the buffer as bool (E0102 RuntimeProgramInputMismatch)",
    "uint1": "XLA CPU does not run it: it reads the buffer as bool (E0102 RuntimeProgramInputMismatch)",
    "float6_e2m3fn": "no JAX dtype: jax.jit takes no such array",
    "float6_e3m2fn": "no JAX dtype: jax.jit takes no such array",
}


def is_supported(dtype: DType) -> bool:
    """Whether arrays of `dtype` have a C++ and a DaCe type."""
    return dtype in _TABLE


def dtype_named(name: str) -> DType:
    """The dtype of a name, those of ml_dtypes included.

    Raises:
        TypeError: there is none.
    """
    return np.dtype(getattr(ml_dtypes, name, name))


def ctype(dtype: Any) -> str:
    """The C++ type of the runtime header for a NumPy dtype, e.g. "jace::f64".

    Raises:
        KeyError: if the dtype is not supported.
    """
    return _TABLE[np.dtype(dtype)][0]


def dace_name(dtype: Any) -> str:
    """Attribute name in `dace` of the DaCe type, e.g. "float64".

    Raises:
        KeyError: if the dtype is not supported.
    """
    return _TABLE[np.dtype(dtype)][1]


def supported() -> tuple[DType, ...]:
    """All supported dtypes."""
    return tuple(_TABLE)


@cache
def kind(dtype: Any) -> str:
    """The kind "b", "i", "u", "f" or "c"; NumPy's own `dtype.kind` is "V" for most dtypes of ml_dtypes."""
    dtype = np.dtype(dtype)
    if dtype.name in _SMALL_INTEGERS:
        return str(dtype.name[0])
    if dtype.name in _SMALL_FLOATS or dtype.name == "bfloat16":
        return "f"
    return str(dtype.kind)


def is_struct(dtype: Any) -> bool:
    """Whether the C++ type is a struct (complex, bfloat16, small dtypes) and not one of the compiler's own."""
    dtype = np.dtype(dtype)
    return dtype.kind == "c" or dtype.name in ("bfloat16", *_SMALL_INTEGERS, *_SMALL_FLOATS)


def bits(dtype: Any) -> int:
    """Width of a value in bits: 4 for int4, although NumPy stores a byte."""
    dtype = np.dtype(dtype)
    if kind(dtype) in "iu":
        return int(_limits.iinfo(dtype).bits)
    return int(_limits.finfo(dtype).bits) if kind(dtype) == "f" else 8 * dtype.itemsize


def lowest(dtype: Any) -> Any:
    """The identity of max: False, the least integer, -inf, or the least finite number where there is no infinity."""
    if np.dtype(dtype) == np.bool_:
        return False
    if kind(dtype) in "iu":
        return int(_limits.iinfo(dtype).min)
    return -np.inf if has_infinity(dtype) else float(_limits.finfo(dtype).min)


def highest(dtype: Any) -> Any:
    """The identity of min: True, the greatest integer, inf, or the greatest finite number."""
    if np.dtype(dtype) == np.bool_:
        return True
    if kind(dtype) in "iu":
        return int(_limits.iinfo(dtype).max)
    return np.inf if has_infinity(dtype) else float(_limits.finfo(dtype).max)


@cache
def has_infinity(dtype: Any) -> bool:
    """Whether a dtype of kind "f" or "c" has an infinity: float8_e4m3fn and some others have none."""
    return np.dtype(dtype).name not in _SMALL_FLOATS or np.dtype(dtype).name in (
        "float8_e5m2",
        "float8_e4m3",
        "float8_e3m4",
    )


def accumulation(dtype: Any) -> DType:
    """What sums and products are accumulated in: f32 for narrower floats, as XLA CPU does for 16 bits.

    (float8_e8m0fnu has no zero: its sum starts from NaN and is NaN.)
    """
    narrow = kind(dtype) == "f" and bits(dtype) < 32 and np.dtype(dtype).name != "float8_e8m0fnu"
    return np.dtype(np.float32) if narrow else np.dtype(dtype)


def packed(dtype: Any) -> bool:
    """Whether XLA packs several elements into a byte, where NumPy and jace take a byte for each."""
    return is_supported(np.dtype(dtype)) and bits(dtype) < 8 and np.dtype(dtype) != np.bool_
