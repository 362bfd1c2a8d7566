"""Exact C++ literals of NumPy values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jace.dtypes import ctype, kind


def _float(value: float, single: bool) -> str:
    if math.isnan(value):
        return '__builtin_nanf("")' if single else '__builtin_nan("")'
    if math.isinf(value):
        text = "__builtin_inff()" if single else "__builtin_inf()"
        return f"(-{text})" if value < 0 else text
    text = repr(value) if single is False else repr(float(np.float32(value)))
    # shortest round trip of a double; a float's value is exact in double, so the suffix rounds to the same float
    text = text if any(c in text for c in ".e") else text + ".0"
    text += "f" if single else ""
    return f"({text})" if text.startswith("-") else text


def _integer(value: int, dtype: np.dtype[Any]) -> str:
    if dtype == np.int64:
        return "(-9223372036854775807L - 1)" if value == -(2**63) else f"{value}L"
    if dtype == np.uint64:
        return f"{value}UL"
    if dtype == np.int32:
        return "(-2147483647 - 1)" if value == -(2**31) else str(value)
    if dtype == np.uint32:
        return f"{value}U"
    return f"{ctype(dtype)}({value})"


def cpp_literal(value: Any, dtype: np.dtype[Any]) -> str:
    """C++ expression of type `ctype(dtype)` with exactly the value of a scalar."""
    dtype = np.dtype(dtype)
    scalar = np.asarray(value, dtype).reshape(())
    if dtype == np.bool_:
        return "true" if bool(scalar) else "false"
    if kind(dtype) in "iu":
        return _integer(int(scalar), dtype)
    if kind(dtype) == "c":
        single = dtype == np.complex64
        return f"{ctype(dtype)}{{{_float(float(scalar.real), single)}, {_float(float(scalar.imag), single)}}}"
    if dtype == np.float64:
        return _float(float(scalar), False)
    if dtype == np.float32:
        return _float(float(scalar), True)
    return f"{ctype(dtype)}({_float(float(scalar), True)})"
