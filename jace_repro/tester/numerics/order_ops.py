"""Primitives that compare, choose and sort numbers of any dtype: NaN sorts last, max and min know -0 from 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace_repro.tester.numerics.native_types import Array, Op, comparable, is_integer, widened


def compare(function: Any) -> Op:
    """A comparison by a ufunc."""
    return lambda p, a, b: function(comparable(a), comparable(b))


def select_extreme(largest: bool) -> Op:
    """The larger or the smaller of two numbers; NaN before any other."""

    def run(p: Mapping[str, Any], a: Array, b: Array) -> Array:
        if a.dtype.kind == "b":
            return a | b if largest else a & b
        if a.dtype.kind == "c":
            raise NotImplementedError("an order of complex numbers")
        x, y = (widened(v) if is_integer(a.dtype) else v.astype(np.float64) for v in (a, b))
        first = x > y if largest else x < y
        if not is_integer(a.dtype):
            zeros = np.signbit(y) if largest else np.signbit(x)
            first = np.where(x == y, zeros, first) | np.isnan(x)
        return np.where(first, a, b)

    return run


def clamp(p: Mapping[str, Any], low: Array, x: Array, high: Array) -> Array:
    """`x` between the bounds; the upper one decides where they cross."""
    low, high = np.broadcast_to(low, x.shape), np.broadcast_to(high, x.shape)
    return select_extreme(largest=False)(p, select_extreme(largest=True)(p, x, low), high)


def argument_extreme(function: Any) -> Op:
    """The first place of an extreme along an axis, by `np.argmax` or `np.argmin`."""

    def run(p: Mapping[str, Any], x: Array) -> Array:
        (axis,) = p["axes"]
        return function(comparable(x), axis=int(axis)).astype(p["index_dtype"])

    return run


def sort(p: Mapping[str, Any], *operands: Array) -> list[Array]:
    """All operands in the order of the first `num_keys` of them."""
    axis = p["dimension"]
    keys: list[Array] = []
    for operand in operands[: p["num_keys"]]:
        parts = [operand.real, operand.imag] if operand.dtype.kind == "c" else [comparable(operand)]
        keys.extend(part + 0.0 if part.dtype.kind == "f" else part for part in parts)  # -0 is 0
    order = np.lexsort(keys[::-1], axis=axis)  # stable, NaN last
    return [np.take_along_axis(operand, order, axis) for operand in operands]


def leaves_equal_keys(eqn: JaxprEqn, results: Sequence[Array]) -> bool:
    """Whether an equation is a sort that need not be stable, and elements of equal keys have something beside them."""
    if eqn.primitive.name != "sort" or eqn.params["is_stable"] or len(results) == 1:
        return False
    axis = eqn.params["dimension"]
    same = [_next_to(comparable(x), axis) for x in results[: eqn.params["num_keys"]]]
    return bool(np.logical_and.reduce(same).any())


def _next_to(x: Array, axis: int) -> Array:
    """Where an element is as the one after it."""
    size = x.shape[axis]
    one, other = (np.take(x, range(*ends), axis) for ends in ((0, max(size - 1, 0)), (min(1, size), size)))
    return (one == other) | ((one != one) & (other != other))


def differ_in_ties(eqn: JaxprEqn, one: Sequence[Array], other: Sequence[Array]) -> bool:
    """Whether two results of a sort have at most elements of equal keys in another order."""
    keys = eqn.params["num_keys"]
    by_all = {**eqn.params, "num_keys": len(one)}
    return _equal(one[:keys], other[:keys]) and _equal(sort(by_all, *one), sort(by_all, *other))


def _equal(some: Sequence[Array], others: Sequence[Array]) -> bool:
    pairs = zip(some, others, strict=True)
    return all(np.array_equal(comparable(x), comparable(y), equal_nan=True) for x, y in pairs)


def top_k(p: Mapping[str, Any], x: Array) -> list[Array]:
    """The largest elements, descending, equal ones by position.

    Floats by their bits: subnormal numbers are not zeros here.
    """
    order = np.argsort(~_total_order(x), axis=p["axis"], kind="stable")
    order = np.take(order, np.arange(p["k"]), axis=p["axis"])
    return [np.take_along_axis(x, order, p["axis"]), order.astype(np.int32)]


def _total_order(x: Array) -> Array:
    """An integer for every number, in the order of the numbers: -0 before 0, NaN at the ends by its sign."""
    if is_integer(x.dtype):
        return widened(x)
    if x.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
        raise NotImplementedError(f"the order of {x.dtype.name}")
    bits = x.view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)
