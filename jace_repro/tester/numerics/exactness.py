"""Whether a program rounds nothing on given inputs: then every correct execution gives the same bits.

`exact_on(closed, args)` evaluates the program equation by equation in its own dtypes and asks of each operation
whether its result is exact. Small integers and dyadic fractions survive sums, products and data movement so;
there the comparison grants nothing at all. The check is one of sufficient conditions: every operand is a multiple
of some power of two, so is the exact result of a ring operation, and a multiple of 2^l below 2^(l + p) is a
number of p bits. For a sum it is asked of the sum of the magnitudes: then all partial sums are exact, in any
order and with any contraction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jace.ir import CALL_PRIMITIVES, CONTROL, ClosedJaxpr, JaxprEqn, walk
from jace_repro.tester.numerics import errormodel, native
from jace_repro.tester.numerics.compare import as_real
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact
from jace_repro.tester.numerics.noise import limits_of

_Array = Any
#: rule(equation, operands, results) -> whether the results are exact; operands and results are f64 arrays of the
#: real parts, as far as they are numbers.
_Rule = Callable[[JaxprEqn, Sequence[_Array], Sequence[_Array]], bool]


#: Larger and longer programs are not looked at: the check is one of every test, and should cost little of it.
MAX_ELEMENTS = 1 << 20
MAX_EQUATIONS = 4000


class _RoundedError(Exception):
    """An operation rounds: no need to look further."""


def exact_on(closed: ClosedJaxpr, args: Sequence[Any]) -> bool:
    """Whether no operation of the program rounds on these inputs (False too when it cannot be told).

    Args:
        closed: a program without typed PRNG keys.
        args: its inputs, native dtypes.
    """
    if not may_be_exact(closed):
        return False
    equations = [eqn for _, eqn in walk(closed)]
    if sum(getattr(v.aval, "size", 0) for eqn in equations for v in eqn.outvars) > MAX_ELEMENTS:
        return False
    try:
        native.evaluate(closed, args, _watch, MAX_EQUATIONS)
    except Exception:  # it rounds, takes too long, or JAX cannot evaluate it by itself: not known to be exact
        return False
    return True


def may_be_exact(closed: ClosedJaxpr) -> bool:
    """Whether there may be inputs on which no operation of the program rounds: no value is looked at."""
    return all(_may_be_exact(eqn) for _, eqn in walk(closed))


def _may_be_exact(eqn: JaxprEqn) -> bool:
    """Whether anything is known of the primitive: no value is looked at."""
    name = eqn.primitive.name
    if name in CONTROL or name in CALL_PRIMITIVES:
        return True
    return not _touches_float(eqn) or errormodel.is_exact(eqn) or name in _RULES


def _touches_float(eqn: JaxprEqn) -> bool:
    return any(is_inexact(getattr(v.aval, "dtype", np.dtype(bool))) for v in (*eqn.invars, *eqn.outvars))


def _watch(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> None:
    """Raise when an equation rounds."""
    if not _touches_float(eqn):
        return
    if not all(_normal(value) for value in (*args, *outs)):
        raise _RoundedError
    if errormodel.is_exact(eqn):
        return
    rule = _RULES.get(eqn.primitive.name)
    if rule is None or not rule(eqn, [_numbers(a) for a in args], [_numbers(out) for out in outs]):
        raise _RoundedError


def _normal(value: _Array) -> bool:
    """No subnormal number, which XLA may flush."""
    if not is_inexact(value.dtype):
        return True
    size = np.abs(_numbers(value))
    return not bool(np.any((size > 0) & (size < float(limits_of(value.dtype).tiny))))


def _numbers(value: _Array) -> _Array:
    with np.errstate(all="ignore"):
        return as_real(np.asarray(value)).astype(np.float64)


def _lowest_bit(x: _Array) -> _Array:
    """Elementwise the largest l such that x is a multiple of 2^l; infinite for zero and what is not finite."""
    fraction, exponent = np.frexp(np.where(np.isfinite(x), x, 0.0))
    whole = np.abs(fraction * 2.0**53).astype(np.int64)
    low = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return np.where(whole == 0, np.inf, exponent - 53 + low)


def _limits(eqn: JaxprEqn) -> Any:
    return limits_of(aval_of(eqn.outvars[0]).dtype)


def _precision(eqn: JaxprEqn) -> int:
    return int(_limits(eqn).nmant) + 1


def _fits(low: _Array, size: _Array, bits: int, smallest: int) -> bool:
    """Whether multiples of 2^low of at most that size have so few bits, and are normal numbers or zero."""
    with np.errstate(all="ignore"):
        short = (size == 0) | (size < np.exp2(np.minimum(low, 2000.0) + bits))
    return bool(np.all(short & (low >= smallest)))


def _elementwise(low_of: Callable[[JaxprEqn, Sequence[_Array]], _Array]) -> _Rule:
    def rule(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
        (out,) = outs
        finite = np.isfinite(out)
        operands_finite = np.all([np.isfinite(a) for a in np.broadcast_arrays(*args)], axis=0)
        if np.any(operands_finite & ~finite):
            return False  # an overflow
        low = np.broadcast_to(low_of(eqn, args), out.shape)
        return _fits(low[finite], np.abs(out[finite]), _precision(eqn), int(_limits(eqn).minexp))

    return rule


def _real(rule: _Rule) -> _Rule:
    """A rule for real numbers only."""
    return lambda eqn, args, outs: aval_of(eqn.outvars[0]).dtype.kind != "c" and rule(eqn, args, outs)


def _division(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    """By a power of two: XLA may multiply by the reciprocal."""
    a, b = np.broadcast_arrays(*args)
    power = np.abs(np.frexp(b)[0]) == 0.5
    return bool(np.all((power & np.isfinite(a)) | ((a == 0) & (b != 0) & np.isfinite(b))))


def _root(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    root = outs[0]
    bits = _precision(eqn) // 2
    return bool(np.all((root * root == args[0]) & np.isfinite(root))) and _fits(
        _lowest_bit(root), np.abs(root), bits, int(_limits(eqn).minexp)
    )


def _power(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    exponent = int(eqn.params["y"])
    if exponent < 0:
        return bool(np.all(np.abs(np.frexp(args[0])[0]) == 0.5) and np.all(np.isfinite(outs[0])))
    return _elementwise(lambda _, xs: exponent * _lowest_bit(xs[0]))(eqn, args, outs)


def _unchanged(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    """The result is the operand (beyond 2^53 an integer may have been rounded on the way here)."""
    whole = aval_of(eqn.invars[0]).dtype
    if not is_inexact(aval_of(eqn.outvars[0]).dtype):
        return True  # to an integer: truncation is no rounding
    small = is_inexact(whole) or bool(np.all(np.abs(args[0]) <= 2.0**53))
    if args[0].shape != outs[0].shape:
        return False  # to or from a complex number
    return small and bool(np.all((args[0] == outs[0]) | (np.isnan(args[0]) & np.isnan(outs[0]))))


def _sum(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    """Of the terms' magnitudes: the operation on absolute values bounds every partial sum."""
    name = eqn.primitive.name
    places = [i for i, v in enumerate(eqn.invars) if is_inexact(aval_of(v).dtype)]
    if not places or not all(np.all(np.isfinite(args[i])) for i in places):
        return False
    lows = [float(np.min(_lowest_bit(args[i]), initial=np.inf)) for i in places]
    low = sum(lows) if name in _PRODUCT_SUMS else min(lows)
    total = _on_magnitudes(eqn, args, places)
    return total is not None and _fits(np.asarray(low), total, _precision(eqn), int(_limits(eqn).minexp))


def _on_magnitudes(eqn: JaxprEqn, args: Sequence[_Array], places: Sequence[int]) -> _Array | None:
    """The equation on absolute values. Rounded it may be, but what is too large stays too large."""
    operands = [
        (np.abs(a) if i in places else a).astype(aval_of(v).dtype)
        for i, (a, v) in enumerate(zip(args, eqn.invars, strict=True))
    ]
    if eqn.primitive.name.endswith("sub"):
        return None
    (total,) = native.apply(eqn, operands)
    return np.asarray(total).astype(np.float64)


def _product(eqn: JaxprEqn, args: Sequence[_Array], outs: Sequence[_Array]) -> bool:
    """The factors' bits together are few enough, whatever the order."""
    x = args[0]
    if not np.all(np.isfinite(x)) or not np.all(np.isfinite(outs[0])):
        return False
    bits = np.where(x == 0, 0, np.frexp(x)[1] - np.where(x == 0, 0, _lowest_bit(x)))
    axes = eqn.params.get("axes", (eqn.params.get("axis", 0),))
    return bool(np.all(np.sum(bits, axis=tuple(int(a) for a in axes)) <= _precision(eqn)))


_PRODUCT_SUMS = frozenset({"dot_general", "conv_general_dilated"})

_RULES: dict[str, _Rule] = {
    **dict.fromkeys(
        ("add", "add_any", "sub"),
        _elementwise(lambda _, xs: np.minimum(*(_lowest_bit(x) for x in xs))),
    ),
    "mul": _real(_elementwise(lambda _, xs: _lowest_bit(xs[0]) + _lowest_bit(xs[1]))),
    "square": _real(_elementwise(lambda _, xs: 2 * _lowest_bit(xs[0]))),
    "integer_pow": _real(_power),
    "div": _real(_division),
    "sqrt": _real(_root),
    "convert_element_type": _unchanged,
    "reduce_precision": _unchanged,
    "reduce_prod": _real(_product),
    "cumprod": _real(_product),
    **dict.fromkeys(
        (
            *("reduce_sum", "cumsum", "dot_general", "conv_general_dilated", "reduce_window_sum"),
            *("scatter-add", "scatter_add", "select_and_scatter_add"),
        ),
        _real(_sum),
    ),
}
