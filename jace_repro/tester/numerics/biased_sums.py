"""Rounding errors of a sum that all go one way, because its terms are alike: they add up, and do not cancel.

Where n equal numbers are added in order, every addition in one binade of the partial sum rounds by the same amount: the
result is off by up to n/8 units of its last place, and so it is of any loop over them (of one with several partial sums
by as much less). Errors of terms that have nothing to do with each other grow with sqrt(n), which is what is granted
elsewhere (`absolute_noise`); both are in Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 and 4.

For reductions and products of matrices the way in order is gone, in the type that an implementation adds in; for other
sums whose operands repeat themselves the worst case is granted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend.core import JaxprEqn

from jace_repro.tester.numerics.errormodel import aval_of
from jace_repro.tester.numerics.noise import eps_of, module_of

#: Of so few terms the worst case is granted: it is no more than a few units.
_FEW = 32
#: Units of the last place by which a sum of equal terms may be off, a term.
_WORST = 0.125
#: An operand repeats itself where at most such a share of so many of its elements are different numbers, to so many
#: bits: a sample's noise makes each another number, and adding them rounds as before.
_LOOKED_AT = 4096
_DIFFERENT = 0.5
_BITS = 16
#: Terms that are added; of more some sums stand for all.
_MOST = 1 << 21
#: What is measured is granted so often: in another order the partial sums have other binades. So is the worst case: it
#: is the width of a noise of which a few samples are drawn, and one sum of a hundred lay beyond what these come to.
_MARGIN = 2.0

_Value = Any


def one_way(
    eqn: JaxprEqn, args: Sequence[_Value], magnitudes: _Value, terms: int, dtype: np.dtype[Any]
) -> _Value:
    """How far rounding the same way every time may take a sum; 0 where its terms are not alike.

    Args:
        eqn: one of `errormodel.SUMS`.
        args: its wide operands.
        magnitudes: the sums of the magnitudes of the terms.
        terms: how many a sum has, at most.
        dtype: the real type in which they are added.
    """
    parts = [a for a in args if np.issubdtype(a.dtype, np.inexact)]
    name, real = eqn.primitive.name, not any(map(np.iscomplexobj, parts))
    alike = all(map(_repeats, parts))
    if terms > _FEW and real and name in ("reduce_sum", "cumsum"):
        return _MARGIN * _of_reduction(eqn, args[0], dtype, alike) * magnitudes
    if not alike:
        return 0.0
    if terms > _FEW and real and name == "dot_general":
        return _MARGIN * _of_products(eqn, args[0], args[1], dtype) * magnitudes
    return _MARGIN * (_WORST * terms + 1.0) * eps_of(dtype) * magnitudes


def _repeats(x: _Value) -> bool:
    """Whether many elements of an operand are the same number; of a tracer nothing is known."""
    if isinstance(x, jax.core.Tracer):
        return True
    flat = np.asarray(x).reshape(-1)
    some = flat[:: max(flat.size // _LOOKED_AT, 1)]
    some = some[np.isfinite(some) & (some != 0)]
    # of a complex number the digit of its magnitude: a sample's noise is as large in both parts
    digit = np.ldexp(1.0, np.frexp(abs(some))[1] - _BITS)
    short = np.round(some / digit) * digit
    return bool(np.unique(short).size <= max(_DIFFERENT * short.size, 1))


def _of_reduction(eqn: JaxprEqn, x: _Value, dtype: np.dtype[Any], alike: bool) -> _Value:
    """Of a reduction, or of each sum of a cumulative one; on its way to it the worst, where the terms are alike."""
    axes = eqn.params["axes"] if "axes" in eqn.params else (eqn.params["axis"],)
    xp = module_of(x)
    moved = xp.moveaxis(x, axes, tuple(range(len(axes))))
    rows = moved.reshape(-1, *moved.shape[len(axes) :])
    if rows.size > _MOST:
        some = rows[:_MOST].reshape(min(rows.shape[0], _MOST), -1)
        errors = _errors(xp, some[:, :: -(-some.size // _MOST)], dtype)
        return errors.max(initial=0.0) * (rows.shape[0] / some.shape[0])
    if eqn.primitive.name == "reduce_sum":
        errors = _errors(xp, rows, dtype)
        return errors.max(axis=0, initial=0.0) if alike else errors[-1]
    rows = rows[::-1] if eqn.params.get("reverse") else rows
    errors = _errors(xp, rows, dtype)
    errors = _running_maximum(xp, errors) if alike else errors
    return xp.moveaxis(errors[::-1] if eqn.params.get("reverse") else errors, 0, axes[0])


def _running_maximum(xp: Any, x: _Value) -> _Value:
    return np.maximum.accumulate(x, axis=0) if xp is np else lax.cummax(x)


def _of_products(eqn: JaxprEqn, a: _Value, b: _Value, dtype: np.dtype[Any]) -> _Value:
    (a_sums, b_sums), (a_batch, b_batch) = eqn.params["dimension_numbers"]
    xp = module_of(a, b)
    left, right = _as_rows(xp, a, a_batch, a_sums), _as_rows(xp, b, b_batch, b_sums)
    shape = aval_of(eqn.outvars[0]).shape
    if left.shape[0] * int(np.prod(shape, dtype=np.int64)) > _MOST:
        side = int(max(_MOST / left.shape[0], 1) ** (1 / 3))
        left, right = (x[:, :: -(-x.shape[1] // side), :: -(-x.shape[2] // side)] for x in (left, right))
    errors = _errors(xp, left[:, :, :, None] * right[:, :, None, :], dtype).max(axis=0, initial=0.0)
    return errors.reshape(shape) if errors.size == np.prod(shape) else errors.max(initial=0.0)


def _as_rows(xp: Any, x: _Value, batch: Sequence[int], sums: Sequence[int]) -> _Value:
    """An operand of a product of matrices by (term, batch, the rest)."""
    first = (*sums, *batch)
    moved = xp.moveaxis(x, first, tuple(range(len(first))))
    sizes = [int(np.prod([x.shape[d] for d in axes], dtype=np.int64)) for axes in (sums, batch)]
    return moved.reshape(*sizes, x.size // max(sizes[0] * sizes[1], 1))


def _errors(xp: Any, terms: _Value, dtype: np.dtype[Any]) -> _Value:
    """The errors of all partial sums along the first axis, in order, beside the sums of the terms' magnitudes."""
    rounded = terms.astype(dtype)  # a term's own rounding is no error of the sum
    if xp is np:
        with np.errstate(all="ignore"):
            wide = np.cumsum(rounded, axis=0, dtype=np.float64)
            off = np.cumsum(rounded, axis=0).astype(np.float64)  # NumPy adds in order
            off = abs(off - wide) / np.cumsum(abs(rounded), axis=0, dtype=np.float64)
        return np.where(np.isfinite(off), off, 0.0)

    def add(state: tuple[_Value, ...], term: _Value) -> tuple[tuple[_Value, ...], _Value]:
        partial, wide, size = state[0] + term, state[1] + term, state[2] + abs(term)
        off = abs(partial.astype(np.float64) - wide) / size
        return (partial, wide, size), xp.where(xp.isfinite(off), off, 0.0)

    zero = xp.zeros(terms.shape[1:])
    return lax.scan(add, (zero.astype(dtype), zero, zero), rounded)[1]
