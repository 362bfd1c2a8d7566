"""The one form of a jaxpr that tracing gives back.

Tracing a program anew writes some things in one way only: scalar constants as literals, no constant that is
not used. A jaxpr that was made by hand, or by an older trace, is the same program as its normal form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.core import walk
from jace.ir.expand import expand_lower_fun
from jace.ir.rewrite import Splice, splice
from jace.ir.state import without_hijax
from jace.jax_internals import DropVar, dce_jaxpr, is_key_dtype

_literal: Any = Literal
_var: Any = Var
_replace: Any = Jaxpr.replace


def normal_form(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` as a trace would have it, at every depth; the very same object when it is so already.

    No unused constants, scalar constants as literals, a variable where an output is dropped, arrays only
    (`without_hijax`).  A primitive that a script defines to stand for another library's (`is_its_lowering`) is what it
    computes.
    """
    closed = without_hijax(closed)
    if any(map(_is_its_lowering, (eqn for _, eqn in walk(closed)))):
        closed = splice(closed, _lowered)
    return _normal_closed(closed, {})


def live_form(closed: ClosedJaxpr) -> ClosedJaxpr:
    """The normal form without what no output needs, at every depth and carries of loops included, as JAX finds it."""
    closed = normal_form(closed)
    alive, _ = dce_jaxpr(closed.jaxpr, [True] * len(closed.jaxpr.outvars), True)
    return _normal_closed(ClosedJaxpr(alive, closed.consts), {})


def _is_its_lowering(eqn: JaxprEqn) -> bool:
    return getattr(eqn.primitive, "is_its_lowering", False)


def _lowered(eqn: JaxprEqn) -> Splice | None:
    body = expand_lower_fun(eqn) if _is_its_lowering(eqn) else None
    return Splice(body, eqn.invars) if body is not None else None


def _normal_closed(closed: ClosedJaxpr, done: dict[int, Any]) -> ClosedJaxpr:
    if id(closed) not in done:
        jaxpr, consts = closed.jaxpr, closed.consts
        if jaxpr.constvars:
            jaxpr, consts = _normal_constants(jaxpr, consts)
        jaxpr = _normal_equations(jaxpr, done)
        done[id(closed)] = closed if jaxpr is closed.jaxpr else ClosedJaxpr(jaxpr, consts)
    return done[id(closed)]


def _normal_constants(jaxpr: Jaxpr, consts: Sequence[Any]) -> tuple[Jaxpr, Sequence[Any]]:
    used = used_variables(jaxpr)
    pairs = list(zip(jaxpr.constvars, consts, strict=True))
    scalars = {
        v: _literal(np.asarray(c), v.aval)
        for v, c in pairs
        if np.shape(c) == ()
        and not (isinstance(c, jax.core.Tracer) or is_key_dtype(getattr(c, "dtype", None)))
    }
    kept = {v: c for v, c in pairs if v in used and v not in scalars}
    if len(kept) == len(pairs):
        return jaxpr, consts

    def atom(v: Any) -> Any:
        return v if isinstance(v, Literal) else scalars.get(v, v)

    eqns = [eqn.replace(invars=[atom(v) for v in eqn.invars]) for eqn in jaxpr.eqns]
    outvars = [atom(v) for v in jaxpr.outvars]
    return _replace(jaxpr, constvars=list(kept), eqns=eqns, outvars=outvars), list(kept.values())


def _normal_equations(jaxpr: Jaxpr, done: dict[int, Any]) -> Jaxpr:
    eqns = []
    for eqn in jaxpr.eqns:
        params = {name: _normal_param(value, done) for name, value in eqn.params.items()}
        if any(params[name] is not value for name, value in eqn.params.items()):
            eqn = eqn.replace(params=params)
        if eqn.params.get("num_consts") and "call_jaxpr" in eqn.params:
            eqn = _without_scalar_constants(eqn)
        if any(isinstance(v, DropVar) for v in eqn.outvars):
            outvars = [_var(v.aval) if isinstance(v, DropVar) else v for v in eqn.outvars]
            eqn = eqn.replace(outvars=outvars)
        eqns.append(eqn)
    same = all(new is old for new, old in zip(eqns, jaxpr.eqns, strict=True))
    return jaxpr if same else _replace(jaxpr, eqns=eqns)


def _without_scalar_constants(eqn: JaxprEqn) -> JaxprEqn:
    """A function with a derivative rule closes over variables only: constants that are literals go inside."""
    count, body = eqn.params["num_consts"], eqn.params["call_jaxpr"]
    inside = [i for i, atom in enumerate(eqn.invars[:count]) if isinstance(atom, Literal)]
    if not inside:
        return eqn
    known = {body.jaxpr.invars[i]: eqn.invars[i] for i in inside}

    def atom(v: Any) -> Any:
        return v if isinstance(v, Literal) else known.get(v, v)

    jaxpr = _replace(
        body.jaxpr,
        invars=[v for v in body.jaxpr.invars if v not in known],
        eqns=[e.replace(invars=[atom(v) for v in e.invars]) for e in body.jaxpr.eqns],
        outvars=[atom(v) for v in body.jaxpr.outvars],
        debug_info=body.jaxpr.debug_info.with_unknown_names(),
    )
    params = {**eqn.params, "num_consts": count - len(inside), "call_jaxpr": ClosedJaxpr(jaxpr, body.consts)}
    invars = [v for i, v in enumerate(eqn.invars) if i not in inside]
    return eqn.replace(invars=invars, params=params)


def _normal_param(value: Any, done: dict[int, Any]) -> Any:
    """A parameter with the jaxprs in it in normal form; the same object when they were."""
    if isinstance(value, ClosedJaxpr):
        return _normal_closed(value, done)
    if isinstance(value, Jaxpr):
        if id(value) not in done:
            done[id(value)] = _normal_equations(value, done)
        return done[id(value)]
    if isinstance(value, tuple) and any(isinstance(v, ClosedJaxpr | Jaxpr) for v in value):
        items = [_normal_param(v, done) for v in value]
        if any(new is not old for new, old in zip(items, value, strict=True)):
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def used_variables(jaxpr: Jaxpr) -> set[Var]:
    """Variables that some equation or output reads."""
    used = {v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Var)}
    used.update(v for v in jaxpr.outvars if isinstance(v, Var))
    return used
