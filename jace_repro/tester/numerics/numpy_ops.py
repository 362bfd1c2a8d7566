"""Primitives on real floating-point values in NumPy: no compilation, and an opinion independent of XLA's.

`FLOAT_OPS[name](params, *operands)` takes NumPy arrays (f64, integers and booleans in their own dtypes) and
gives one array, or a list where the primitive has several results. A primitive that is not listed is left to
JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special

from jace_repro.tester.numerics import incomplete_gamma

_Array = Any
_Op = Callable[..., Any]


def _reshape(p: Mapping[str, Any], x: _Array, *_: Any) -> _Array:
    order = p["dimensions"]
    return np.reshape(x if order is None else np.transpose(x, order), p["new_sizes"])


def _broadcast_in_dim(p: Mapping[str, Any], x: _Array, *_: Any) -> _Array:
    shape = [1] * len(p["shape"])
    for source, target in enumerate(p["broadcast_dimensions"]):
        shape[target] = np.shape(x)[source]
    return np.broadcast_to(np.reshape(x, shape), p["shape"])


def _slice(p: Mapping[str, Any], x: _Array) -> _Array:
    steps = p["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, p["start_indices"], p["limit_indices"], steps))]


def _select_n(p: Mapping[str, Any], which: _Array, *cases: _Array) -> _Array:
    if len(cases) == 1:
        return cases[0]
    if len(cases) == 2:
        return np.where(np.asarray(which).astype(bool), cases[1], cases[0])
    return np.choose(np.broadcast_to(which, np.shape(cases[0])), cases)


def _convert(p: Mapping[str, Any], x: _Array) -> _Array:
    return np.asarray(x).astype(p["new_dtype"])


def _round(p: Mapping[str, Any], x: _Array) -> _Array:
    if int(p["rounding_method"]) == 1:
        return np.rint(x)
    whole = np.trunc(x)
    away = np.where(np.abs(x - whole) >= 0.5, np.copysign(1.0, x), 0.0)  # x + 0.5 would round
    return np.where(np.isfinite(x), np.copysign(whole + away, x), x)


def _integer_pow(p: Mapping[str, Any], x: _Array) -> _Array:
    return np.power(x, np.float64(p["y"]))


def _dot_general(p: Mapping[str, Any], a: _Array, b: _Array) -> _Array:
    (contract_a, contract_b), (batch_a, batch_b) = p["dimension_numbers"]
    left = _matrices(a, batch_a, contract_a, contract_last=True)
    right = _matrices(b, batch_b, contract_b, contract_last=False)
    free_a = [n for i, n in enumerate(a.shape) if i not in (*batch_a, *contract_a)]
    free_b = [n for i, n in enumerate(b.shape) if i not in (*batch_b, *contract_b)]
    return np.matmul(left, right).reshape([*(a.shape[i] for i in batch_a), *free_a, *free_b])


def _matrices(x: _Array, batch: Sequence[int], contract: Sequence[int], *, contract_last: bool) -> _Array:
    free = [i for i in range(x.ndim) if i not in (*batch, *contract)]
    rows, columns = (free, contract) if contract_last else (contract, free)
    sizes = [int(np.prod([x.shape[i] for i in group], dtype=np.int64)) for group in (batch, rows, columns)]
    return np.transpose(x, (*batch, *rows, *columns)).reshape(sizes).astype(np.float64)


def _reduce(ufunc: Any) -> _Op:
    return lambda p, x: ufunc.reduce(x, axis=tuple(p["axes"]))


def _cumulative(ufunc: Any) -> _Op:
    def run(p: Mapping[str, Any], x: _Array) -> _Array:
        if not p["reverse"]:
            return ufunc.accumulate(x, axis=p["axis"])
        return np.flip(ufunc.accumulate(np.flip(x, p["axis"]), axis=p["axis"]), p["axis"])

    return run


def _plain(function: Callable[..., Any]) -> _Op:
    return lambda p, *operands: function(*operands)


def _identity(p: Mapping[str, Any], *operands: _Array) -> Any:
    return operands[0] if len(operands) == 1 else list(operands)


def zeta(x: _Array, q: _Array) -> _Array:
    """Hurwitz' zeta function of f64; of a large x its first terms, where SciPy has NaN: those that follow are none."""
    with np.errstate(all="ignore"):
        terms = sum(np.power(q + k, -np.asarray(x, np.float64)) for k in range(3))
        return np.where((x > 1e4) & (q > 0), terms, special.zeta(x, q))


def polygamma(n: _Array, x: _Array) -> _Array:
    """(-1)^(n + 1) n! zeta(n + 1, x) of f64; digamma for n = 0, NaN where n is negative, infinite or not whole.

    At a pole of an even order it is NaN: it comes from minus infinity on one side and from infinity on the other.
    """
    with np.errstate(all="ignore"):
        even = np.fmod(n, 2) == 0
        sums = np.where(even & (x <= 0) & (x == np.floor(x)), np.nan, zeta(n + 1, x))
        value = np.where(n == 0, special.psi(x), np.where(even, -1.0, 1.0) * special.gamma(n + 1) * sums)
    return np.where((n >= 0) & (n == np.floor(n)) & np.isfinite(n), value, np.nan)


def as_given(name: str, operands: Sequence[_Array], dtypes: Sequence[Any]) -> list[_Array]:
    """The operands that a primitive works on: `pow` rounds an exponent that is an integer to the type of the base.

    2147483647 is 2^31 then, in f32, and an even number (`_pow_lower` of JAX).

    Args:
        name: of the primitive.
        operands: its operands, held in a wider type.
        dtypes: their own types.
    """
    if name != "pow" or np.dtype(dtypes[1]).kind not in "iu":
        return list(operands)
    base, exponent = operands
    return [base, exponent.astype(dtypes[0]).astype(base.dtype)]


#: Functions of f64, element by element; of complex128 as far as NumPy has them.
ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "add_any": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "cbrt": np.cbrt,
    "square": np.square,
    "pow": np.power,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "logistic": special.expit,
    "erf": special.erf,
    "erfc": special.erfc,
    "erf_inv": special.erfinv,
    "digamma": special.psi,
    "lgamma": special.gammaln,
    "bessel_i0e": special.i0e,
    "bessel_i1e": special.i1e,
    "zeta": zeta,
    "polygamma": polygamma,
    "igamma": incomplete_gamma.lower,
    "igammac": incomplete_gamma.upper,
    "max": np.maximum,
    "min": np.minimum,
    "clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "floor": np.floor,
    "ceil": np.ceil,
    "sign": lambda x: np.where(x == 0, x, np.sign(x)),
    "is_finite": np.isfinite,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}

#: Functions of complex numbers in which both parts are right to the last digits (of glibc), as mpmath says of 2,000
#: numbers of all magnitudes (`tests/jace_repro/tester/numerics/test_complex.py`); XLA has formulas that cancel.
COMPLEX = frozenset(
    {
        *("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"),
        *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    }
)


def of_complex(name: str, value: _Array) -> _Array:
    """A function (of `COMPLEX`) of complex128; NaN where it or its operand is not finite: there conventions differ."""
    found: _Array = np.asarray(ELEMENTWISE[name](value))
    return np.where(np.isfinite(value) & np.isfinite(found), found, complex(np.nan, np.nan))


FLOAT_OPS: dict[str, _Op] = {
    **{name: _plain(function) for name, function in ELEMENTWISE.items()},
    **dict.fromkeys(("copy", "copy_p", "stop_gradient", "device_put", "optimization_barrier"), _identity),
    "integer_pow": _integer_pow,
    "round": _round,
    "select_n": _select_n,
    "convert_element_type": _convert,
    "broadcast_in_dim": _broadcast_in_dim,
    "reshape": _reshape,
    "squeeze": lambda p, x: np.squeeze(x, tuple(p["dimensions"])),
    "expand_dims": lambda p, x: np.expand_dims(x, tuple(p["dimensions"])),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
    "rev": lambda p, x: np.flip(x, tuple(p["dimensions"])),
    "slice": _slice,
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "dot_general": _dot_general,
    "reduce_sum": _reduce(np.add),
    "reduce_prod": _reduce(np.multiply),
    "cumsum": _cumulative(np.add),
    "cumprod": _cumulative(np.multiply),
    "cummax": _cumulative(np.maximum),
    "cummin": _cumulative(np.minimum),
}
