"""A f64 program evaluated in extended precision: NumPy's longdouble (64 bits of significand on x86).

The centre of the oracle for programs of f64, where holding f64 in f64 would make it no better than the
judged: sums of many terms, cancellations. What has no longdouble version (special functions, factorisations,
complex numbers, convolutions) is evaluated in the program's own dtype.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import walk
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.errormodel import aval_of, is_exact, is_inexact
from jace_repro.tester.numerics.native_ops import moving_op
from jace_repro.tester.numerics.noise import limits_of
from jace_repro.tester.numerics.numpy_ops import FLOAT_OPS, as_given

_Value = Any

#: Multiplications of matrix products that longdouble, which has no fast ones, is asked for.
MAX_PRODUCTS = 50_000_000


def helps(closed: ClosedJaxpr) -> bool:
    """Whether there is real f64 in the program, nothing complex, and a longdouble that is wider."""
    if np.finfo(np.longdouble).nmant <= np.finfo(np.float64).nmant:
        return False
    equations = [eqn for _, eqn in walk(closed)]
    if sum(_products(eqn) for eqn in equations) > MAX_PRODUCTS:
        return False
    dtypes = {np.dtype(d) for eqn in equations for v in eqn.outvars if (d := getattr(v.aval, "dtype", None))}
    return np.dtype(np.float64) in dtypes and not any(dtype.kind == "c" for dtype in dtypes)


def _products(eqn: JaxprEqn) -> int:
    if eqn.primitive.name != "dot_general":
        return 0
    (contracted, _), _ = eqn.params["dimension_numbers"]
    inner = math.prod(aval_of(eqn.invars[0]).shape[i] for i in contracted)
    return inner * int(aval_of(eqn.outvars[0]).size)


def evaluate(closed: ClosedJaxpr, args: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
    """The flat outputs: real floating-point ones as f64, rounded once; others in their own dtypes.

    Raises:
        TooLongError: a loop is too long to be walked.
        NotWiderError: an equation on numbers narrower than f64 has no wider version here.
    """
    with np.errstate(all="ignore"):
        outs = _Extended(None).run(closed, [_widen(np.asarray(a)) for a in args])
    return [
        np.asarray(out, np.float64) if _is_real(v) else np.asarray(out)
        for out, v in zip(outs, closed.jaxpr.outvars, strict=True)
    ]


def _is_real(atom: Any) -> bool:
    dtype = getattr(aval_of(atom), "dtype", np.dtype(bool))
    return is_inexact(dtype) and np.dtype(dtype).kind != "c"


def _widen(value: _Value) -> _Value:
    if isinstance(value, np.ndarray) and is_inexact(value.dtype) and value.dtype.kind != "c":
        return value.astype(np.longdouble)
    return value


class NotWiderError(Exception):
    """An equation on narrower numbers that only its own dtypes are known for: f64 does better."""


class _Extended(native.Walk):
    """An evaluation whose real numbers are longdouble."""

    strict = True

    def leaf(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        if not any(_is_real(v) for v in (*eqn.invars, *eqn.outvars)):
            return super().leaf(eqn, args)
        args = as_given(eqn.primitive.name, args, [aval_of(v).dtype for v in eqn.invars])
        results = self._wide(eqn, args)
        if is_exact(eqn):
            return results
        return [
            _confine(out, aval_of(v).dtype) if _is_real(v) else out
            for out, v in zip(results, eqn.outvars, strict=True)
        ]

    def _wide(self, eqn: JaxprEqn, args: list[_Value]) -> list[_Value]:
        """In longdouble, else in f64, else in the equation's own dtypes if they are no narrower."""
        op = _op_of(eqn)
        for dtype in (np.longdouble, np.float64) if op is not None else ():
            results = _apply(op, eqn, args, dtype)
            if results is not None:
                return [_widen(out) for out in results]
        real = [v for v in (*eqn.invars, *eqn.outvars) if _is_real(v)]
        if any(aval_of(v).dtype != np.float64 for v in real):
            raise NotWiderError(eqn.primitive.name)
        own = [a.astype(np.float64) if _is_real(v) else a for a, v in zip(args, eqn.invars, strict=True)]
        return [_widen(out) for out in super().leaf(eqn, own)]


def _op_of(eqn: JaxprEqn) -> Any:
    """The function of an equation whose real numbers are wide; None when there is none."""
    if eqn.primitive.name == "convert_element_type" and not _is_real(eqn.outvars[0]):
        return moving_op(eqn)
    return _OWN.get(eqn.primitive.name) or FLOAT_OPS.get(eqn.primitive.name) or moving_op(eqn)


def _apply(op: Any, eqn: JaxprEqn, args: Sequence[_Value], dtype: Any) -> list[_Value] | None:
    """`op` on real numbers of `dtype`; None when it has no version for it."""
    params = dict(eqn.params)
    if eqn.primitive.name == "convert_element_type" and _is_real(eqn.outvars[0]):
        params["new_dtype"] = dtype
    operands = [a.astype(dtype) if _is_real(v) else a for a, v in zip(args, eqn.invars, strict=True)]
    try:
        found = op(params, *operands)
    except (NotImplementedError, TypeError, ValueError):
        return None
    results = [np.asarray(out) for out in (found if isinstance(found, list) else [found])]
    wanted = [dtype if _is_real(v) else aval_of(v).dtype for v in eqn.outvars]
    fits = all(
        (out.dtype, out.shape) == (kind, aval_of(v).shape)
        for out, kind, v in zip(results, wanted, eqn.outvars, strict=True)
    )
    return results if fits else None


def _integer_pow(p: Any, x: _Value) -> _Value:
    return np.power(x, np.longdouble(p["y"]))


def _dot_general(p: Any, a: _Value, b: _Value) -> _Value:
    (contract_a, contract_b), (batch_a, batch_b) = p["dimension_numbers"]
    letters = iter(range(a.ndim + b.ndim))
    names_a = [next(letters) for _ in range(a.ndim)]
    names_b = [next(letters) for _ in range(b.ndim)]
    for i, j in (*zip(contract_a, contract_b, strict=True), *zip(batch_a, batch_b, strict=True)):
        names_b[j] = names_a[i]
    free_a = [n for i, n in enumerate(names_a) if i not in (*batch_a, *contract_a)]
    free_b = [n for i, n in enumerate(names_b) if i not in (*batch_b, *contract_b)]
    return np.einsum(a, names_a, b, names_b, [*(names_a[i] for i in batch_a), *free_a, *free_b])


#: Those whose entry in FLOAT_OPS works in f64.
_OWN = {"integer_pow": _integer_pow, "dot_general": _dot_general}


def _confine(y: _Value, native_dtype: Any) -> _Value:
    """Infinite and zero where the program's own dtype is (f16 keeps its subnormals)."""
    info = limits_of(native_dtype)
    y = np.where(
        np.abs(y) > np.longdouble(info.max) * (1 + np.longdouble(info.eps) / 4), np.copysign(np.inf, y), y
    )
    if np.dtype(native_dtype) != np.float16:
        y = np.where(np.abs(y) < np.longdouble(info.tiny), np.copysign(np.longdouble(0), y), y)
    return y
