"""Primitives from one dtype to another, by value (saturating, rounded once) or by bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from jace_repro.tester.numerics.native_types import Array, bits_of, flush, is_integer, narrow, widened


def convert(p: Mapping[str, Any], x: Array) -> Array:
    """`x` in the dtype `new_dtype`."""
    source, target = x.dtype, np.dtype(p["new_dtype"])
    if source == target:
        return x
    if source.kind == "c" and target.kind != "c":
        x = x.real
    if target.kind == "b":
        return x != 0
    if is_integer(target):
        return (
            narrow(widened(x) if is_integer(source) else x, target)
            if _discrete(source)
            else _saturate(x, target)
        )
    if target.kind == "c":
        return x.astype(target)
    if is_integer(source) and source.itemsize < 4:
        x = widened(x).astype(np.float64)
    if target not in (np.float16, np.float32, np.float64):
        if source == np.float64 or is_integer(source):
            raise NotImplementedError("a conversion in two roundings")
        return x.astype(np.float32).astype(target) if source.itemsize <= 4 else x.astype(target)
    wide = x.astype(np.float64) if source.kind not in "iub" else x
    return flush(wide.astype(target))


def _discrete(dtype: Any) -> bool:
    return np.dtype(dtype).kind == "b" or is_integer(dtype)


def _saturate(x: Array, target: Any) -> Array:
    """Floating-point numbers as integers: towards zero, NaN as 0, what is beyond as the nearest."""
    info: Any = ml_dtypes.iinfo(target)  # type: ignore[no-untyped-call]
    low, high = int(info.min), int(info.max)
    wide = np.trunc(x.astype(np.float64))
    inside = (wide >= low) & (wide < float(high) + 1) if high >= 2**53 else (wide >= low) & (wide <= high)
    kept = np.where(inside, wide, 0.0)
    whole = kept.astype(np.uint64) if low == 0 else kept.astype(np.int64)
    edge = np.asarray(low).astype(whole.dtype), np.asarray(high).astype(whole.dtype)
    whole = np.where(np.isnan(wide) | inside, whole, np.where(wide < 0, *edge))
    return narrow(whole, target)


def bitcast(p: Mapping[str, Any], x: Array) -> Array:
    """The bits of `x` taken for the dtype `new_dtype`, with an axis more or less where its size differs."""
    target = np.dtype(p["new_dtype"])
    sizes = x.dtype.itemsize, target.itemsize
    if any(is_integer(d) and bits_of(d) < 8 for d in (x.dtype, target)) or "b" in (x.dtype.kind, target.kind):
        raise NotImplementedError("bits of a type smaller than a byte")
    raw = np.array(x, copy=True, order="C")
    if sizes[0] == sizes[1]:
        return raw.reshape(-1).view(target).reshape(x.shape)
    if sizes[0] > sizes[1]:
        return raw.reshape(-1).view(target).reshape(*x.shape, sizes[0] // sizes[1])
    return raw.reshape(-1).view(target).reshape(x.shape[:-1])
