"""Primitives that reduce, cumulate and contract: integers exactly, real numbers in f64 and rounded once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from jace_repro.tester.numerics.native_types import Array, Op, bits_of, flush, is_integer, widened


def reduction(name: str) -> Op:
    """The reduction `reduce_NAME` over axes."""
    ufuncs = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
    ufuncs |= {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}

    def run(p: Mapping[str, Any], x: Array) -> Array:
        axes = tuple(int(a) for a in p["axes"])
        if x.dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        if x.dtype.kind == "b":
            return ufuncs[name].reduce(x, axis=axes)
        wide = widened(x) if is_integer(x.dtype) else x.astype(np.float64)
        identity = _identity_of(name, x.dtype, wide.dtype)
        if not is_integer(x.dtype) and name in ("sum", "prod"):
            wide = flush(x).astype(np.float64)
        return _finish(ufuncs[name].reduce(wide, axis=axes, initial=identity), x.dtype)

    return run


def _finish(result: Array, dtype: Any) -> Array:
    result = np.asarray(result).astype(dtype)
    return result if is_integer(dtype) else flush(result)


def _identity_of(name: str, dtype: Any, wide: Any) -> Any:
    """What an empty reduction gives, as a scalar of the wide type."""
    info: Any = None
    if is_integer(dtype):
        info = ml_dtypes.iinfo(dtype) if bits_of(dtype) < 8 else np.iinfo(dtype)  # type: ignore[no-untyped-call]
    values: dict[str, Any] = {"sum": 0, "prod": 1, "or": 0, "xor": 0, "and": -1}
    if name in values:
        return np.asarray(values[name]).astype(wide)[()]
    low, high = (int(info.min), int(info.max)) if info is not None else (-math.inf, math.inf)
    return np.dtype(wide).type(low if name == "max" else high)


def cumulation(name: str) -> Op:
    """The cumulative operation `cumNAME` along an axis."""
    ufunc = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}[name]

    def run(p: Mapping[str, Any], x: Array) -> Array:
        if x.dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        wide = widened(x) if is_integer(x.dtype) else x.astype(np.float64)
        wide = np.flip(wide, p["axis"]) if p["reverse"] else wide
        done = ufunc.accumulate(wide, axis=p["axis"])
        return _finish(np.flip(done, p["axis"]) if p["reverse"] else done, x.dtype)

    return run


def dot_general(p: Mapping[str, Any], a: Array, b: Array) -> Array:
    """The contraction of two arrays."""
    preferred = np.dtype(p["preferred_element_type"] or a.dtype)
    (contract_a, contract_b), (batch_a, batch_b) = p["dimension_numbers"]
    if preferred.kind == "c" or a.dtype.kind == "c":
        raise NotImplementedError("complex numbers")
    whole = is_integer(preferred)
    left, right = ((widened(v) if whole else v.astype(np.float64)) for v in (a, b))
    left, right = (v.astype(np.int64) if whole else v for v in (left, right))
    free_a = [i for i in range(a.ndim) if i not in (*batch_a, *contract_a)]
    free_b = [i for i in range(b.ndim) if i not in (*batch_b, *contract_b)]

    def size(x: Array, axes: Any) -> int:
        return math.prod(x.shape[i] for i in axes)

    left = np.transpose(left, (*batch_a, *free_a, *contract_a))
    right = np.transpose(right, (*batch_b, *contract_b, *free_b))
    rows = left.reshape(size(a, batch_a), size(a, free_a), size(a, contract_a))
    columns = right.reshape(size(b, batch_b), size(b, contract_b), size(b, free_b))
    shape = [*(a.shape[i] for i in (*batch_a, *free_a)), *(b.shape[i] for i in free_b)]
    return _finish(np.matmul(rows, columns).reshape(shape), preferred)
