"""NumPy dtypes as C++ types of the runtime header and as DaCe types: one table."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

_TABLE: dict[np.dtype[Any], tuple[str, str]] = {
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


def is_supported(dtype: np.dtype[Any]) -> bool:
    """Whether arrays of `dtype` have a C++ and a DaCe type."""
    return dtype in _TABLE


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


def supported() -> tuple[np.dtype[Any], ...]:
    """All supported dtypes."""
    return tuple(_TABLE)
