"""Noise that is not relative to the result: of sums by their terms, of products by their factors, of factorisations."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace_repro.tester.numerics import errormodel
from jace_repro.tester.numerics.biased_sums import one_way
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact
from jace_repro.tester.numerics.noise import eps_of, is_short, limits_of, module_of, real_dtype

#: Sums whose terms are products of elements of two operands.
_OF_PRODUCTS = frozenset({"dot_general", "conv_general_dilated", "ragged_dot_general"})

_Value = Any
#: (equation, operands) -> results, in wide dtypes.
Bind = Callable[[JaxprEqn, Sequence[Any]], list[Any]]


def _size(shape: Sequence[int], axes: Sequence[int]) -> int:
    return int(np.prod([shape[a] for a in axes], dtype=np.int64))


def terms_of(eqn: JaxprEqn) -> int:
    """How many terms a sum has."""
    name, p = eqn.primitive.name, eqn.params
    shape = aval_of(eqn.invars[0]).shape
    if name == "reduce_sum":
        return _size(shape, p["axes"])
    if name == "cumsum":
        return int(shape[p["axis"]])
    if name == "dot_general":
        return _size(shape, p["dimension_numbers"][0][0])
    if name == "conv_general_dilated":
        kernel = aval_of(eqn.invars[1]).shape
        return _size(kernel, range(len(kernel))) // max(kernel[p["dimension_numbers"].rhs_spec[0]], 1)
    if name == "reduce_window_sum":
        return _size(p["window_dimensions"], range(len(p["window_dimensions"])))
    return max(int(aval_of(eqn.invars[-1]).size), 1)  # scatter: at most all the updates


def noise_magnitudes(
    eqn: JaxprEqn, args: Sequence[_Value], outs: Sequence[_Value], bind: Bind
) -> list[_Value]:
    """Per output an absolute noise where the error is not relative to the result; 0 elsewhere.

    Args:
        args, outs: operands and results in wide dtypes.
        bind: evaluates the equation on other operands.
    """
    name = eqn.primitive.name
    native = getattr(eqn.outvars[0].aval, "dtype", np.dtype(bool))
    if not is_inexact(native):
        return [0.0] * len(outs)
    eps = eps_of(native)
    if name in errormodel.SUMS:
        return [_sum_noise(eqn, args, outs[0], np.dtype(native), bind)]
    if name == "pow" and np.dtype(native).kind == "c":
        # exp(y log x): the error of the logarithm is multiplied by the exponent
        xp = module_of(*args)
        return [8.0 * eps * abs(outs[0]) * (1.0 + abs(args[1] * xp.log(args[0])))]
    if name == "logistic" and np.dtype(native).kind == "c":
        # 1 / (1 + exp(-x)): beside a pole the sum cancels
        return [8.0 * eps * abs(outs[0]) * (1.0 + abs(outs[0]))]
    if name in errormodel.PRODUCTS:
        # of factors near one, (1 + a)(1 + b) rounds ab away: these errors have a sign, and add up
        return [eps * max(_growth(eqn), _count(eqn) / 8) * abs(out) for out in outs]
    if name == "cumlogsumexp":
        return [eps * _growth(eqn) * _largest_exponent(eqn, args[0], outs[0], bind)]
    if name in errormodel.LINALG:
        size = max((max(aval_of(v).shape[-2:], default=1) for v in eqn.invars), default=1)
        return [4.0 * eps * size * module_of(o).max(abs(o), initial=0.0) for o in outs]
    return [0.0] * len(outs)


def _growth(eqn: JaxprEqn) -> float:
    """By how much the rounding errors of so many operations, one after the other, may exceed that of one."""
    return 4.0 * float(np.sqrt(_count(eqn)))


def _count(eqn: JaxprEqn) -> int:
    """How many operations are made one after the other."""
    axes = eqn.params.get("axes", (eqn.params.get("axis", 0),))
    shape = aval_of(eqn.invars[0]).shape
    return max(_size(shape, axes), 1) if shape else 1


def _largest_exponent(eqn: JaxprEqn, x: _Value, out: _Value, bind: Bind) -> _Value:
    """What the result of a sum of exponentials is rounded beside: m + log(...) cancels where its terms are alike."""
    xp = module_of(x, out)
    beside = abs(bind(eqn, [xp.where(xp.isneginf(x), x, abs(x)).astype(x.dtype)])[0])
    return xp.where(xp.isfinite(beside), xp.maximum(beside, abs(out)), 0.0)


def of_magnitudes(eqn: JaxprEqn, args: Sequence[_Value], bind: Bind) -> _Value:
    """What a sum is of the magnitudes of its terms; real, where all else is.

    Args:
        eqn, args: one of `errormodel.SUMS` and its wide operands.
        bind: evaluates the equation on other operands.
    """
    sizes = [abs(a).astype(a.dtype) if is_inexact(a.dtype) else a for a in args]
    if eqn.primitive.name in ("scatter-sub", "scatter_sub"):
        sizes[-1] = -sizes[-1]
    return abs(bind(eqn, sizes)[0])


def _sum_noise(
    eqn: JaxprEqn, args: Sequence[_Value], out: _Value, native: np.dtype[Any], bind: Bind
) -> _Value:
    """Random rounding errors of n additions grow like sqrt(n)/3 * eps/2 * sum|x|; granted with a wide margin.

    Those of terms that are alike go one way (`biased_sums`).
    """
    count = terms_of(eqn)
    xp = module_of(*args, out)
    magnitudes = of_magnitudes(eqn, args, bind)
    bound = (2.0 + 0.25 * float(np.sqrt(count))) * eps_of(native) * magnitudes
    added = np.dtype(np.float32) if native.itemsize == 2 else real_dtype(native)
    bound = xp.maximum(bound, one_way(eqn, args, magnitudes, count, added))
    return xp.where(_is_exact(eqn, args, magnitudes, native), 0.0, bound)


def _is_exact(eqn: JaxprEqn, args: Sequence[_Value], magnitudes: _Value, native: np.dtype[Any]) -> _Value:
    """Whether a sum rounds nothing in whatever order it is made: of integers and dyadic fractions of like size.

    All partial sums are multiples of what all terms are multiples of. That the magnitudes of the terms add up to a
    short number says as much in f64 alone: in narrower types it happens by chance.

    Args:
        eqn, args: the sum and its operands.
        magnitudes: the sums of the magnitudes of the terms.
        native: the dtype of the sum.
    """
    if native.kind == "c" or native == np.float64:
        return is_short(magnitudes, native)
    units = [_unit(a) for a in args if is_inexact(a.dtype)] or [1.0]
    least = functools.partial(functools.reduce, module_of(*units).minimum)
    unit = math.prod(units) if eqn.primitive.name in _OF_PRODUCTS else least(units)
    return magnitudes <= unit * 2.0 ** (int(limits_of(native).nmant) + 1)


def _unit(x: _Value) -> _Value:
    """The largest power of two that all elements are multiples of; infinite where all are zero."""
    xp = module_of(x)
    mantissa, exponent = xp.frexp(xp.asarray(x, np.float64))
    digits = xp.where(xp.isfinite(mantissa), mantissa * 2.0**53, 0.0).astype(np.int64)
    lowest = xp.ldexp((digits & -digits).astype(np.float64), exponent - 53)
    return xp.min(xp.where(digits == 0, np.inf, lowest), initial=np.inf)
