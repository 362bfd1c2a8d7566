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
    eqn = _only_equation(closed, got, expected)
    if eqn is None:
        return False
    with np.errstate(all="ignore"):
        if _is_function(eqn):
            return _function_is_off(eqn, _operands(eqn, closed, args), got[0], expected[0])
        return _is_small_sum(eqn) and _sum_is_off(closed, args, got[0], expected[0])


def acquits(
    closed: ClosedJaxpr, args: Sequence[Any], got: Sequence[_Array], expected: Sequence[_Array]
) -> bool:
    """Whether the result of a program of one function is right wherever it differs from XLA's, which is not.

    Args: as of `is_off`.
    """
    eqn = _only_equation(closed, got, expected)
    function = None if eqn is None else _exact(eqn, got[0].dtype)
    if eqn is None or function is None:
        return False
    with np.errstate(all="ignore"):
        return _function_is_right(function, eqn, _operands(eqn, closed, args), got[0], expected[0])


def _only_equation(closed: ClosedJaxpr, got: Sequence[_Array], expected: Sequence[_Array]) -> JaxprEqn | None:
    """The equation of a program that has one, with one result."""
    alone = len(closed.jaxpr.eqns) == len(got) == 1 and got[0].shape == expected[0].shape
    return closed.jaxpr.eqns[0] if alone else None


def _operands(eqn: JaxprEqn, closed: ClosedJaxpr, args: Sequence[Any]) -> list[_Array]:
    given = dict(zip(map(id, closed.jaxpr.invars), args, strict=True))
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


def _exact(eqn: JaxprEqn, dtype: np.dtype[Any]) -> ExactFunction | None:
    """What is known of an equation's function, of real or of complex numbers."""
    known = EXACT_OF_COMPLEX if dtype.kind == "c" else EXACT
    return known.get(eqn.primitive.name) if is_inexact(dtype) else None


def _function_is_off(eqn: JaxprEqn, operands: Sequence[_Array], got: _Array, expected: _Array) -> bool:
    function, dtype = EXACT[eqn.primitive.name], got.dtype
    *points, ours, theirs = _flat(*operands, got, expected)
    ulps = _few_ulps(eqn.primitive.name, dtype)
    apart = np.abs(ours - theirs) / (eps_of(dtype) * np.maximum(np.abs(theirs), float(limits_of(dtype).tiny)))
    differing = np.isfinite(apart) & (apart > ulps)
    return any(
        _element_is_off(function, [p[i] for p in points], ours[i], theirs[i], dtype, ulps)
        for i in _looked_at(differing, apart)
    )


def _function_is_right(
    function: ExactFunction, eqn: JaxprEqn, operands: Sequence[_Array], got: _Array, expected: _Array
) -> bool:
    dtype = got.dtype
    *points, ours, theirs = _flat(*operands, got, expected)
    ulps = _few_ulps(eqn.primitive.name, dtype)
    apart = np.abs(ours - theirs) / (eps_of(dtype) * np.abs(theirs))
    same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | (apart <= ulps)
    chosen = _looked_at(~same, np.nan_to_num(apart, nan=np.inf))
    return bool(chosen.size) and all(
        _element_is_right(function, [p[i] for p in points], ours[i], theirs[i], dtype, ulps) for i in chosen
    )


def _flat(*arrays: _Array) -> list[_Array]:
    """Operands and results in one shape, flat, in the widest type of their kind."""
    wide = np.complex128 if arrays[-1].dtype.kind == "c" else np.float64
    return [np.asarray(a).reshape(-1).astype(wide) for a in np.broadcast_arrays(*arrays)]


def _looked_at(differing: _Array, apart: _Array) -> _Array:
    """Places of a few of the elements that differ: the least, the most, and some between."""
    places = np.flatnonzero(differing)
    if not places.size:
        return places
    by_size = places[np.argsort(apart[places])]
    return by_size[np.unique(np.linspace(0, by_size.size - 1, LOOKED_AT).astype(int))]


def _few_ulps(name: str, dtype: np.dtype[Any]) -> float:
    column = measured().get(name, {})
    own = column.get("f64" if dtype.itemsize == 8 else "f32", 0.0)
    return max(FEW_ULPS, MEASURED * own) if dtype.itemsize > 2 else FEW_ULPS / 4


def _element_is_off(
    function: ExactFunction, point: Sequence[Any], ours: Any, theirs: Any, dtype: np.dtype[Any], ulps: float
) -> bool:
    with mpmath.workdps(function.digits):
        true = _true(function, point, dtype)
        if true is None or abs(true) < float(limits_of(dtype).tiny):
            return False
        eps = eps_of(dtype)
        granted = ulps * eps * abs(true)
        granted += function.absolute * eps * (1 + mpmath.log1p(abs(point[0])))
        error, of_xla = _errors(true, ours, theirs)
        return bool(error > max(granted, LIKE * of_xla))


def _element_is_right(
    function: ExactFunction, point: Sequence[Any], ours: Any, theirs: Any, dtype: np.dtype[Any], ulps: float
) -> bool:
    with mpmath.workdps(function.digits):
        true = function.at([x.item() for x in point])
        if true is None:
            return False
        if abs(true) > float(limits_of(dtype).max):
            if function.of_complex:  # its direction decides what it becomes
                return False
            infinite = float(mpmath.sign(true)) * np.inf
            return bool(ours == infinite and theirs != infinite)
        ulp = eps_of(dtype) * max(abs(true), float(limits_of(dtype).tiny))
        error, of_xla = (e / ulp if mpmath.isfinite(e) else mpmath.inf for e in _errors(true, ours, theirs))
        granted = max(ulps, min(of_xla / FAR, 1 / math.sqrt(eps_of(dtype))))
        return bool(error <= granted and of_xla > ulps)


def _true(function: ExactFunction, point: Sequence[Any], dtype: np.dtype[Any]) -> Any:
    """The value of a function, to the precision that mpmath works in; None where it is not known, or overflows."""
    true = function.at([x.item() for x in point])
    return None if true is None or abs(true) > float(limits_of(dtype).max) else true


def _errors(true: Any, *values: Any) -> list[Any]:
    return [abs(mpmath.mpmathify(value.item()) - true) for value in values]


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
