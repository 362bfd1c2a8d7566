"""One equation, more closely than the oracle looks: is it off where a good implementation is not, nor XLA?

What the oracle grants a primitive is what some correct implementation may be off by at any argument. XLA is at hand at
this very one: what is off by more than a good implementation is, and by more than a few times what XLA is, is wrong.

* Functions are evaluated to any precision (`exact_functions`), at a few of the elements that differ most.
  The other way round they acquit: in f64 the oracle has nothing wider than XLA has.
* A sum of a 16-bit type is made in f32, or by halves: what it is off by does not grow with the number of its terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from jace.ir import walk
from jace_repro.tester.numerics.absolute_noise import terms_of
from jace_repro.tester.numerics.errormodel import aval_of, is_inexact
from jace_repro.tester.numerics.exact_functions import EXACT, EXACT_OF_COMPLEX, ExactFunction, measured
from jace_repro.tester.numerics.noise import eps_of, limits_of
from jace_repro.tester.numerics.precision import evaluate

_Array = np.ndarray[Any, Any]

#: Errors of a good implementation in ULP: at least so many, and so many times what jace's own were measured.
FEW_ULPS = 8.0
MEASURED = 2.0
#: So many times XLA's own error at the argument is granted.
LIKE = 4.0
#: What is so many times less off than XLA, and has half of the digits, is not accused by XLA's word.
FAR = 1024.0
#: Elements of a result that are looked at.
LOOKED_AT = 16

#: Sums that are made in f32 where the type is narrower, and those of which the halves may be rounded.
_IN_F32 = frozenset({"dot_general", "conv_general_dilated"})
_BY_HALVES = frozenset({"reduce_sum", "cumsum", "reduce_window_sum"})


def can_tell(closed: ClosedJaxpr) -> bool:
    """Whether there is an equation in a program that can be looked at closely."""
    return any(_is_function(eqn) or _is_small_sum(eqn) for _, eqn in walk(closed))


def is_off(
    closed: ClosedJaxpr, args: Sequence[Any], got: Sequence[_Array], expected: Sequence[_Array]
) -> bool:
    """Whether the result of a program of one equation is off.

    Args:
        closed, args: the program on its inputs.
        got: what is judged.
        expected: what XLA gives.
    """
    if len(closed.jaxpr.eqns) != 1 or len(got) != 1 or got[0].shape != expected[0].shape:
        return False
    (eqn,) = closed.jaxpr.eqns
    with np.errstate(all="ignore"):
        if _is_function(eqn):
            return _function_is_off(eqn, _operands(closed, args), got[0], expected[0])
        return _is_small_sum(eqn) and _sum_is_off(closed, args, got[0], expected[0])


def acquits(
    closed: ClosedJaxpr, args: Sequence[Any], got: Sequence[_Array], expected: Sequence[_Array]
) -> bool:
    """Whether the result of a program of one function is right wherever it differs from XLA's, which is not.

    Args: as of `is_off`.
    """
    if len(closed.jaxpr.eqns) != 1 or len(got) != 1 or got[0].shape != expected[0].shape:
        return False
    (eqn,) = closed.jaxpr.eqns
    name, dtype = eqn.primitive.name, got[0].dtype
    known = EXACT_OF_COMPLEX if dtype.kind == "c" else EXACT
    if name not in known or not is_inexact(dtype):
        return False
    wide = np.complex128 if dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        columns = np.broadcast_arrays(*_operands(closed, args))
        *points, ours, theirs = (
            np.asarray(a).reshape(-1).astype(wide) for a in (*columns, got[0], expected[0])
        )
        ulps = _few_ulps(name, dtype)
        apart = np.abs(ours - theirs) / (eps_of(dtype) * np.abs(theirs))
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | (apart <= ulps)
    differing = np.flatnonzero(~same)
    order = differing[np.argsort(-np.nan_to_num(apart[differing], nan=np.inf))]
    chosen = order[np.unique(np.linspace(0, order.size - 1, LOOKED_AT).astype(int))] if order.size else order
    errors = [_errors(name, [p[i] for p in points], ours[i], theirs[i], dtype) for i in chosen]
    granted = [
        max(ulps, min(e[1] / FAR, 1 / math.sqrt(eps_of(dtype)))) if e is not None else 0.0 for e in errors
    ]
    return bool(errors) and all(
        e is not None and e[0] <= most and ulps < e[1] for e, most in zip(errors, granted, strict=True)
    )


def _errors(
    name: str, point: Sequence[Any], ours: Any, theirs: Any, dtype: np.dtype[Any]
) -> tuple[float, float] | None:
    """What two values of a function are off by in ULP of the true one; None where that is not known."""
    function = EXACT_OF_COMPLEX[name] if dtype.kind == "c" else EXACT[name]
    with mpmath.workdps(function.digits if isinstance(function, ExactFunction) else 40):
        try:
            true = (
                function.at(point)
                if isinstance(function, ExactFunction)
                else function(*map(mpmath.mpc, point))
            )
        except (ZeroDivisionError, ValueError, ArithmeticError, mpmath.libmp.NoConvergence):
            return None
        tiny, most = float(limits_of(dtype).tiny), float(limits_of(dtype).max)
        if true is None or not mpmath.isfinite(true) or abs(true) > most:
            return None
        size = eps_of(dtype) * max(abs(true), tiny)
        off = (
            abs(mpmath.mpmathify(complex(v) if dtype.kind == "c" else float(v)) - true) / size
            for v in (ours, theirs)
        )
        ours_off, theirs_off = (float(e) if mpmath.isfinite(e) else np.inf for e in off)
        return ours_off, theirs_off


def _operands(closed: ClosedJaxpr, args: Sequence[Any]) -> list[_Array]:
    """The operands of the only equation."""
    given = dict(zip(map(id, closed.jaxpr.invars), args, strict=True))
    (eqn,) = closed.jaxpr.eqns
    return [np.asarray(v.val) if isinstance(v, Literal) else given[id(v)] for v in eqn.invars]


def _real(eqn: JaxprEqn) -> bool:
    dtype = getattr(aval_of(eqn.outvars[0]), "dtype", np.dtype(bool))
    return is_inexact(dtype) and np.dtype(dtype).kind != "c"


def _is_function(eqn: JaxprEqn) -> bool:
    return eqn.primitive.name in EXACT and _real(eqn)


def _is_small_sum(eqn: JaxprEqn) -> bool:
    small = eqn.primitive.name in _IN_F32 | _BY_HALVES and _real(eqn)
    return small and all(aval_of(v).dtype.itemsize == 2 for v in (*eqn.invars, *eqn.outvars))


# --- functions ------------------------------------------------------------------------------------------------


def _function_is_off(eqn: JaxprEqn, operands: Sequence[_Array], got: _Array, expected: _Array) -> bool:
    function, dtype = EXACT[eqn.primitive.name], got.dtype
    columns = np.broadcast_arrays(*operands)
    values = [np.asarray(a).reshape(-1).astype(np.float64) for a in (*columns, got, expected)]
    *points, ours, theirs = values
    granted = _few_ulps(eqn.primitive.name, dtype)
    apart = np.abs(ours - theirs) / (eps_of(dtype) * np.maximum(np.abs(theirs), float(limits_of(dtype).tiny)))
    differing = np.flatnonzero(np.isfinite(apart) & (apart > granted))
    if not differing.size:
        return False
    by_size = differing[np.argsort(apart[differing])]
    chosen = by_size[np.unique(np.linspace(0, by_size.size - 1, LOOKED_AT).astype(int))]
    return any(
        _element_is_off(
            function, [float(p[i]) for p in points], float(ours[i]), float(theirs[i]), dtype, granted
        )
        for i in chosen
    )


def _few_ulps(name: str, dtype: np.dtype[Any]) -> float:
    column = measured().get(name, {})
    own = column.get("f64" if dtype.itemsize == 8 else "f32", 0.0)
    return max(FEW_ULPS, MEASURED * own) if dtype.itemsize > 2 else FEW_ULPS / 4


def _element_is_off(
    function: ExactFunction,
    point: Sequence[float],
    ours: float,
    theirs: float,
    dtype: np.dtype[Any],
    ulps: float,
) -> bool:
    with mpmath.workdps(function.digits):
        true = function.at(point)
        tiny = mpmath.mpf(float(limits_of(dtype).tiny))
        if true is None or abs(true) < tiny or abs(true) > float(limits_of(dtype).max):
            return False
        eps = eps_of(dtype)
        granted = ulps * eps * abs(true)
        granted += function.absolute * eps * (1 + mpmath.log1p(abs(point[0])))
        error, of_xla = (abs(mpmath.mpf(value) - true) for value in (ours, theirs))
        return bool(error > max(granted, LIKE * of_xla))


# --- sums -----------------------------------------------------------------------------------------------------


def _sum_is_off(closed: ClosedJaxpr, args: Sequence[Any], got: _Array, expected: _Array) -> bool:
    (eqn,) = closed.jaxpr.eqns
    (true,) = evaluate(closed, args)
    (size,) = evaluate(closed, [np.abs(a) for a in args])
    count, eps = max(terms_of(eqn), 2), eps_of(got.dtype)
    if eqn.primitive.name in _IN_F32:
        way = 2.0 * (2.0 + 0.25 * float(np.sqrt(count))) * float(np.finfo(np.float32).eps)
    else:
        way = (1.0 + float(np.log2(count)) / 2) * eps
    ours, theirs = (np.abs(out.astype(np.float64) - true) for out in (got, expected))
    finite = np.isfinite(ours) & np.isfinite(theirs)
    granted = np.maximum(
        way * size + 2 * eps * np.abs(true) + 4 * float(limits_of(got.dtype).tiny), LIKE * theirs
    )
    return bool(np.any(finite & (ours > granted)))
