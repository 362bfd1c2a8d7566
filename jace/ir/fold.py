"""Constant folding of small integer and boolean values, with NumPy.

Index arithmetic (the `x < 0 ? x + n : x` of Python indexing, tables of static scatter indices) is computed by
equations on constants; folding it makes indices static. Floating-point values are left to the C++ compiler, so that
rounding stays in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.ir.core import Atom, make_closed, map_bodies

#: Larger constants are computed at run time.
MAX_ELEMENTS = 4096

_Array = np.ndarray[Any, Any]


def _broadcast_in_dim(p: dict[str, Any], x: _Array, *_: Any) -> _Array:
    shape = [1] * len(p["shape"])
    for source, target in enumerate(p["broadcast_dimensions"]):
        shape[target] = x.shape[source]
    return np.broadcast_to(x.reshape(shape), p["shape"])


def _iota(p: dict[str, Any]) -> _Array:
    shape = [1] * len(p["shape"])
    shape[p["dimension"]] = -1
    values = np.arange(p["shape"][p["dimension"]]).astype(p["dtype"])
    return np.broadcast_to(values.reshape(shape), p["shape"])


def _slice(p: dict[str, Any], x: _Array) -> _Array:
    steps = p["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, p["start_indices"], p["limit_indices"], steps))]


def _reshape(p: dict[str, Any], x: _Array, *_: Any) -> _Array:
    order = p["dimensions"]
    return np.reshape(x if order is None else np.transpose(x, order), p["new_sizes"])


_FOLDERS: dict[str, Callable[..., _Array]] = {
    "add": lambda p, x, y: x + y,
    "sub": lambda p, x, y: x - y,
    "mul": lambda p, x, y: x * y,
    "neg": lambda p, x: -x,
    "min": lambda p, x, y: np.minimum(x, y),
    "max": lambda p, x, y: np.maximum(x, y),
    "eq": lambda p, x, y: x == y,
    "ne": lambda p, x, y: x != y,
    "lt": lambda p, x, y: x < y,
    "le": lambda p, x, y: x <= y,
    "gt": lambda p, x, y: x > y,
    "ge": lambda p, x, y: x >= y,
    "not": lambda p, x: np.invert(x),
    "and": lambda p, x, y: x & y,
    "or": lambda p, x, y: x | y,
    "select_n": lambda p, which, *cases: np.choose(which.astype(np.int64), [c + 0 * which for c in cases]),
    "convert_element_type": lambda p, x: x.astype(p["new_dtype"]),
    "broadcast_in_dim": _broadcast_in_dim,
    "iota": _iota,
    "slice": _slice,
    "reshape": _reshape,
    "squeeze": lambda p, x: np.squeeze(x, tuple(p["dimensions"])),
    "expand_dims": lambda p, x: np.expand_dims(x, tuple(p["dimensions"])),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
    "rev": lambda p, x: np.flip(x, tuple(p["dimensions"])),
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "stop_gradient": lambda p, x: x,
    "copy": lambda p, x: x,
    "copy_p": lambda p, x: x,
}


def _is_integral(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iub"


def _foldable(eqn: JaxprEqn) -> bool:
    if eqn.primitive.name not in _FOLDERS or len(eqn.outvars) != 1:
        return False
    avals = [v.aval for v in (*eqn.invars, *eqn.outvars)]
    return all(_is_integral(getattr(a, "dtype", None)) and a.size <= MAX_ELEMENTS for a in avals)


def _fold(eqn: JaxprEqn, values: list[_Array]) -> _Array:
    aval = eqn.outvars[0].aval
    with np.errstate(all="ignore"):
        result = _FOLDERS[eqn.primitive.name](eqn.params, *values)
    return np.array(np.broadcast_to(np.asarray(result, aval.dtype), aval.shape), order="C")


def fold_constants(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` with small integral constant expressions evaluated, at every depth.

    Folded scalars become literals, folded arrays become constants.
    """
    jaxpr = closed.jaxpr
    known: dict[Var, _Array] = {}
    consts: dict[Var, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    for var, value in consts.items():
        if _is_integral(getattr(var.aval, "dtype", None)) and var.aval.size <= MAX_ELEMENTS:
            known[var] = np.asarray(value)

    def literal(atom: Atom) -> Atom:
        if isinstance(atom, Var) and atom in known and atom.aval.shape == ():
            return Literal(known[atom][()], atom.aval)
        return atom

    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        values = [known.get(v) if isinstance(v, Var) else np.asarray(v.val) for v in eqn.invars]
        if _foldable(eqn) and all(v is not None for v in values):
            out = eqn.outvars[0]
            known[out] = consts[out] = _fold(eqn, [v for v in values if v is not None])
        else:
            params = map_bodies(eqn.params, fold_constants)
            eqns.append(eqn.replace(invars=[literal(v) for v in eqn.invars], params=params))
    return make_closed(jaxpr.invars, [literal(v) for v in jaxpr.outvars], eqns, consts)
