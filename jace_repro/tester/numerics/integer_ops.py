"""Primitives on integers and booleans, as XLA has them: they wrap, and all divisions and shifts have a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jace_repro.tester.numerics.native_types import Array, Op, bits_of, narrow, raw_bits, widened
from jace_repro.tester.numerics.order_ops import clamp


def _integer(function: Callable[..., Any]) -> Op:
    """An operation on 64-bit integers, wrapped to the operands' own type."""
    return lambda p, *xs: narrow(function(*map(widened, xs)), xs[0].dtype)


def _int_div(p: Mapping[str, Any], a: Array, b: Array) -> Array:
    x, y = widened(a), widened(b)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    if x.dtype == np.uint64:
        quotient = x // safe
        return narrow(np.where(y == 0, np.uint64(2**64 - 1), quotient), a.dtype)
    quotient = _truncated(x, safe)
    return narrow(np.where(y == 0, -1, quotient), a.dtype)


def _truncated(x: Array, y: Array) -> Array:
    """Signed division that rounds to zero; the smallest number by -1 wraps."""
    floor = x // y
    return np.where(
        (y != -1) & ((x < 0) != (y < 0)) & (floor * y != x), floor + 1, np.where(y == -1, -x, floor)
    )


def _int_rem(p: Mapping[str, Any], a: Array, b: Array) -> Array:
    x, y = widened(a), widened(b)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    rest = x % safe if x.dtype == np.uint64 else x - _truncated(x, safe) * safe
    return narrow(np.where(y == 0, x, rest), a.dtype)


def _shift(left: bool, arithmetic: bool) -> Op:
    def run(p: Mapping[str, Any], a: Array, b: Array) -> Array:
        width = bits_of(a.dtype)
        amount = widened(b)
        beyond = (amount < 0) | (amount >= width)
        amount = np.where(beyond, 0, amount).astype(np.uint64)
        if arithmetic:  # of an unsigned number too the highest bit is taken for a sign
            unused = np.int64(64 - width)
            signed = (raw_bits(a).astype(np.int64) << unused) >> unused
            fill = np.where(signed < 0, -1, 0)
            return narrow(np.where(beyond, fill, signed >> amount.astype(np.int64)), a.dtype)
        raw = raw_bits(a)
        moved = raw << amount if left else raw >> amount
        return narrow(np.where(beyond, np.uint64(0), moved), a.dtype)

    return run


def _population_count(p: Mapping[str, Any], a: Array) -> Array:
    return narrow(np.bitwise_count(raw_bits(a)), a.dtype)


def _clz(p: Mapping[str, Any], a: Array) -> Array:
    raw, width = raw_bits(a), bits_of(a.dtype)
    count = np.zeros(raw.shape, np.int64)
    for bit in range(width):
        count += (raw >> np.uint64(bit)) == 0
    return narrow(count, a.dtype)


def _integer_pow(p: Mapping[str, Any], x: Array) -> Array:
    result, base, exponent = np.ones(x.shape, widened(x).dtype), widened(x), int(p["y"])
    if exponent < 0:
        raise NotImplementedError("a negative power of an integer")
    while exponent:
        result = result * base if exponent & 1 else result
        base, exponent = base * base, exponent >> 1
    return narrow(result, x.dtype)


#: Operations on booleans by primitive.
BOOLEAN: dict[str, Op] = {
    "and": lambda p, a, b: a & b,
    "or": lambda p, a, b: a | b,
    "xor": lambda p, a, b: a ^ b,
    "not": lambda p, a: ~a,
}

#: Operations on integers by primitive.
INTEGER: dict[str, Op] = {
    **{
        name: _integer(function)
        for name, function in {
            "add": np.add,
            "add_any": np.add,
            "sub": np.subtract,
            "mul": np.multiply,
            "neg": np.negative,
            "abs": np.abs,
            "square": np.square,
            "sign": np.sign,
            "and": np.bitwise_and,
            "or": np.bitwise_or,
            "xor": np.bitwise_xor,
            "not": np.invert,
        }.items()
    },
    "div": _int_div,
    "rem": _int_rem,
    "shift_left": _shift(left=True, arithmetic=False),
    "shift_right_logical": _shift(left=False, arithmetic=False),
    "shift_right_arithmetic": _shift(left=False, arithmetic=True),
    "population_count": _population_count,
    "clz": _clz,
    "integer_pow": _integer_pow,
    "clamp": clamp,
}
