"""What of a jaxpr a retrace can give back, and how to get there.

Tracing writes some things in one way only: scalar constants as literals, constants in the order of first
use. `normal_form` rewrites a hand-made jaxpr to that way; `needs_raw` finds the equations that bind would
simplify away.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace.jax_internals import new_jaxpr_eqn
from jace_repro.emitter import literals
from jace_repro.emitter.errors import EmitError

_literal: Any = Literal
_var: Any = Var
_replace: Any = Jaxpr.replace
_struct: Any = jax.ShapeDtypeStruct
_CLOSED_CALLS = frozenset({"closed_call", "core_call", "call"})


def used_variables(jaxpr: Jaxpr) -> set[Var]:
    """Variables that some equation or output reads."""
    used = {v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Var)}
    used.update(v for v in jaxpr.outvars if isinstance(v, Var))
    return used


def consts_in_order(jaxpr: Jaxpr) -> bool:
    """Whether tracing the equations meets the constants in the order of the constvars, each at least once."""
    wanted = set(jaxpr.constvars)
    met: dict[Var, None] = {}
    for eqn in jaxpr.eqns:
        met.update((v, None) for v in eqn.invars if isinstance(v, Var) and v in wanted)
    met.update((v, None) for v in jaxpr.outvars if isinstance(v, Var) and v in wanted)
    return list(met) == list(jaxpr.constvars)


def normal_form(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` as a trace would have it, at every depth; the very same object when it is so already.

    No unused constants, scalar constants as literals, a variable where an output is dropped.
    """
    return _normal_closed(closed, {})


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
        v: _literal(np.asarray(c), v.aval) for v, c in pairs if np.shape(c) == () and not literals.is_key(c)
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
        if any(isinstance(v, ir.DropVar) for v in eqn.outvars):
            outvars = [_var(v.aval) if isinstance(v, ir.DropVar) else v for v in eqn.outvars]
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


def needs_raw(eqn: JaxprEqn) -> bool:
    """Whether binding the equation would not stage it: JAX forwards, folds, inlines or cannot bind it."""
    operand: Any = eqn.invars[0].aval if eqn.invars else None
    name = eqn.primitive.name
    if name in _CLOSED_CALLS:
        return True
    if name == "jit":
        return bool(eqn.params["inline"])
    if name == "convert_element_type":
        return _idle_conversion(operand, eqn.params) or isinstance(eqn.invars[0], Literal)
    if name == "broadcast_in_dim":
        return tuple(operand.shape) == tuple(eqn.params["shape"])
    return name in ("stage", "device_put") and isinstance(eqn.invars[0], Literal)


def _idle_conversion(aval: Any, params: Mapping[str, Any]) -> bool:
    if jnp.issubdtype(aval.dtype, jax.dtypes.extended):
        return False
    return aval.dtype == params["new_dtype"] and bool(aval.weak_type) == bool(params["weak_type"])


def expand(eqn: JaxprEqn) -> ClosedJaxpr | None:
    """What an equation computes, in other primitives; None when neither its lowering nor its rule tells.

    The results have the equation's types, weak ones too. Raises EmitError when the rule cannot be traced.
    """
    expanded = _expanded(eqn)
    wanted: list[Any] = [v.aval for v in eqn.outvars]
    if expanded is None or [_weak(a) for a in expanded.out_avals] == [_weak(a) for a in wanted]:
        return expanded
    jaxpr, eqns, outvars = expanded.jaxpr, list(expanded.jaxpr.eqns), []
    for atom, aval in zip(jaxpr.outvars, wanted, strict=True):
        if _weak(atom.aval) != _weak(aval):
            params = {"new_dtype": aval.dtype, "weak_type": _weak(aval), "sharding": None}
            result = _var(aval)
            eqns.append(new_jaxpr_eqn([atom], [result], lax.convert_element_type_p, params, set()))
            atom = result
        outvars.append(atom)
    constants = dict(zip(jaxpr.constvars, expanded.consts, strict=True))
    return ir.make_closed(jaxpr.invars, outvars, eqns, constants)


def _weak(aval: Any) -> bool:
    return bool(getattr(aval, "weak_type", False))


def _expanded(eqn: JaxprEqn) -> ClosedJaxpr | None:
    expanded = ir.expand_lower_fun(eqn)
    if expanded is not None:
        return expanded
    avals: list[Any] = [v.aval for v in eqn.invars]
    operands = [_struct(aval.shape, aval.dtype, weak_type=aval.weak_type) for aval in avals]
    impl: Any = functools.partial(eqn.primitive.impl, **eqn.params)
    known = {i: _literal_value(v) for i, v in enumerate(eqn.invars) if isinstance(v, Literal)}
    try:
        try:
            traced = jax.make_jaxpr(impl)(*operands)
        except jax.errors.ConcretizationTypeError:  # it looks at values: those of literals are there
            traced = jax.make_jaxpr(lambda *xs: impl(*(known.get(i, x) for i, x in enumerate(xs))))(*operands)
    except Exception as error:
        raise EmitError(f"{eqn.primitive.name}: its implementation cannot be traced: {error}") from error
    inner = {e.primitive for _, e in ir.walk(traced)}
    return None if eqn.primitive in inner else traced


def _literal_value(literal: Any) -> Any:
    """A Python scalar where the type is weak, else a NumPy scalar."""
    value = np.asarray(literal.val, literal.aval.dtype)[()]
    return value.item() if literal.aval.weak_type else value
