"""Primitives on real floating-point numbers that are exact or correctly rounded, subnormal numbers taken for zeros."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jace_repro.tester.numerics import incomplete_gamma
from jace_repro.tester.numerics.native_types import Array, Op, flush
from jace_repro.tester.numerics.numpy_ops import FLOAT_OPS, polygamma, zeta
from jace_repro.tester.numerics.order_ops import clamp


def _rounded(function: Callable[..., Any]) -> Op:
    """A correctly rounded operation on numbers whose subnormals are zeros."""

    def run(p: Mapping[str, Any], *xs: Array) -> Array:
        dtype = xs[0].dtype
        if dtype.kind == "c":
            raise NotImplementedError("complex numbers")
        wide = np.float32 if dtype.itemsize <= 2 else dtype  # enough for +, -, *, / and the root of 16 bits
        return flush(np.asarray(function(*(flush(x).astype(wide) for x in xs))).astype(dtype))

    return run


def _power(p: Mapping[str, Any], x: Array) -> Array:
    """The power, or what XLA has for a negative exponent: the inverse of the power, which may be too small for it."""
    if x.dtype.kind == "c":
        raise NotImplementedError("complex numbers")
    y = int(p["y"])
    power = flush(np.power(flush(x).astype(np.float64), float(abs(y))).astype(x.dtype))
    return power if y >= 0 else flush((1 / power.astype(np.float64)).astype(x.dtype))


def _of_two(function: Callable[..., Any]) -> Op:
    """A function of f64."""
    return lambda p, x, y: function(x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)


def _rem(p: Mapping[str, Any], a: Array, b: Array) -> Array:
    return np.fmod(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)


def _sign(p: Mapping[str, Any], x: Array) -> Array:
    return np.where((x == 0) | np.isnan(x), x, np.copysign(np.asarray(1, x.dtype), x))


#: Operations on floating-point numbers by primitive.
FLOATING: dict[str, Op] = {
    "add": _rounded(np.add),
    "add_any": _rounded(np.add),
    "sub": _rounded(np.subtract),
    "mul": _rounded(np.multiply),
    "div": _rounded(np.divide),
    "sqrt": _rounded(np.sqrt),
    "square": _rounded(np.square),
    "integer_pow": _power,
    "neg": lambda p, x: -x,
    "abs": lambda p, x: np.abs(x),
    "floor": lambda p, x: np.floor(x),
    "ceil": lambda p, x: np.ceil(x),
    "sign": _sign,
    "rem": _rem,
    "clamp": clamp,
    "is_finite": lambda p, x: np.isfinite(x),
    "round": lambda p, x: FLOAT_OPS["round"](p, x.astype(np.float64)).astype(x.dtype),
    "zeta": _of_two(zeta),
    "polygamma": _of_two(polygamma),
    "igamma": _of_two(incomplete_gamma.lower),
    "igammac": _of_two(incomplete_gamma.upper),
}
