"""The one form of a jaxpr that tracing gives back.

Tracing a program anew writes some things in one way only: scalar constants as literals, no constant that is
not used. A jaxpr that was made by hand, or by an older trace, is the same program as its normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.calls import expand_call
from jace.ir.control import Scan, While
from jace.ir.core import walk
from jace.ir.expand import expand_lower_fun
from jace.ir.rewrite import Splice, splice
from jace.ir.state import without_hijax
from jace.jax_internals import DropVar, dce_jaxpr, is_key_dtype

_JACE = "jace_call"
_literal: Any = Literal
_var: Any = Var
_replace: Any = Jaxpr.replace


def normal_form(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` as a trace would have it, at every depth; the very same object when it is so already.

    No unused constants, scalar constants as literals, a variable where an output is dropped, arrays only
    (`without_hijax`).  A primitive that a script defines to stand for another library's (`is_its_lowering`) is what it
    computes, and so is a call of a `jace.jit` function.
    """
    closed = without_hijax(closed)
    if any(map(_is_replaced, (eqn for _, eqn in walk(closed)))):
        closed = splice(closed, _lowered)
    return _normal_closed(closed, {})


def live_form(closed: ClosedJaxpr) -> ClosedJaxpr:
    """The normal form without what no output needs, at every depth and carries of loops included, as JAX finds it."""
    closed = normal_form(closed)
    alive, _ = dce_jaxpr(closed.jaxpr, [True] * len(closed.jaxpr.outvars), True)
    return _normal_closed(ClosedJaxpr(alive, closed.consts), {})


def _is_its_lowering(eqn: JaxprEqn) -> bool:
    return getattr(eqn.primitive, "is_its_lowering", False)


def _is_replaced(eqn: JaxprEqn) -> bool:
    return _is_its_lowering(eqn) or eqn.primitive.name == _JACE


def _lowered(eqn: JaxprEqn) -> Splice | None:
    if eqn.primitive.name == _JACE:
        return expand_call(eqn)
    body = expand_lower_fun(eqn) if _is_its_lowering(eqn) else None
    return Splice(body, eqn.invars) if body is not None else None


def _normal_closed(closed: ClosedJaxpr, done: dict[int, Any]) -> ClosedJaxpr:
    if id(closed) not in done:
        jaxpr, consts = closed.jaxpr, closed.consts
        jaxpr, consts = _normal_constants(jaxpr, consts)
        jaxpr = _normal_equations(jaxpr, done)
        jaxpr, consts = _normal_constants(jaxpr, consts)  # again without those that an equation closed over
        done[id(closed)] = closed if jaxpr is closed.jaxpr else ClosedJaxpr(jaxpr, consts)
    return done[id(closed)]


def _normal_constants(jaxpr: Jaxpr, consts: Sequence[Any]) -> tuple[Jaxpr, Sequence[Any]]:
    if not jaxpr.constvars:
        return jaxpr, consts
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
            eqn = _function(eqn)
        elif eqn.primitive.name in _LOOPS:
            eqn = _LOOPS[eqn.primitive.name](eqn)
        if any(isinstance(v, DropVar) for v in eqn.outvars):
            outvars = [_var(v.aval) if isinstance(v, DropVar) else v for v in eqn.outvars]
            eqn = eqn.replace(outvars=outvars)
        eqns.append(eqn)
    same = all(new is old for new, old in zip(eqns, jaxpr.eqns, strict=True))
    return jaxpr if same else _replace(jaxpr, eqns=eqns)


def _function(eqn: JaxprEqn) -> JaxprEqn:
    """A function with a derivative rule that closes over variables that it reads: literals go inside.

    A trace has what it does not read for as long as somebody holds the value, and a tracker does.
    """
    count, whole = eqn.params["num_consts"], eqn.params["call_jaxpr"]
    closed_over = zip(whole.jaxpr.invars[:count], eqn.invars[:count], strict=True)
    body, kept = _reading(_knowing(whole, {v: x for v, x in closed_over if isinstance(x, Literal)}), count)
    changed = {"num_consts": sum(kept[:count]), "call_jaxpr": body}
    return eqn if body is whole else _given(eqn, kept, {**eqn.params, **changed})


def _knowing(closed: ClosedJaxpr, known: dict[Var, Literal]) -> ClosedJaxpr:
    """A body with literals in the place of inputs, which it does not read then."""

    def atom(v: Any) -> Any:
        return v if isinstance(v, Literal) else known.get(v, v)

    if not known:
        return closed
    jaxpr = closed.jaxpr
    eqns = [e.replace(invars=[atom(v) for v in e.invars]) for e in jaxpr.eqns]
    return ClosedJaxpr(_replace(jaxpr, eqns=eqns, outvars=[atom(v) for v in jaxpr.outvars]), closed.consts)


def _scan(eqn: JaxprEqn) -> JaxprEqn:
    """A scan that closes over what its body reads."""
    scan = Scan.of(eqn.params)
    body, kept = _reading(scan.body, scan.consts)
    changed = replace(scan, body=body, consts=sum(kept[: scan.consts]))
    return eqn if body is scan.body else _given(eqn, kept, changed.params(eqn.params))


def _while(eqn: JaxprEqn) -> JaxprEqn:
    """A while whose condition and body close over what they read."""
    loop = While.of(eqn.params)
    condition, asked = _reading(loop.condition, loop.condition_consts)
    body, kept = _reading(loop.body, loop.body_consts)
    if condition is loop.condition and body is loop.body:
        return eqn
    consts = asked[: loop.condition_consts]
    changed = While(condition, body, sum(consts), sum(kept[: loop.body_consts]))
    return _given(eqn, [*consts, *kept], changed.params(eqn.params))


#: Loops, whose bodies close over operands.
_LOOPS: dict[str, Callable[[JaxprEqn], JaxprEqn]] = {"scan": _scan, "while": _while}


def _reading(closed: ClosedJaxpr, count: int) -> tuple[ClosedJaxpr, list[bool]]:
    """A body without those of its first `count` inputs that it does not read, and which of its inputs it has still."""
    jaxpr = closed.jaxpr
    used = used_variables(jaxpr)
    kept = [i >= count or v in used for i, v in enumerate(jaxpr.invars)]
    if all(kept):
        return closed, kept
    invars = [v for v, keep in zip(jaxpr.invars, kept, strict=True) if keep]
    slim = _replace(jaxpr, invars=invars, debug_info=jaxpr.debug_info.with_unknown_names())
    return ClosedJaxpr(slim, closed.consts), kept


def _given(eqn: JaxprEqn, kept: Sequence[bool], params: dict[str, Any]) -> JaxprEqn:
    return eqn.replace(invars=[v for v, keep in zip(eqn.invars, kept, strict=True) if keep], params=params)


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
