"""What of a jaxpr a retrace can give back, and how to get there.

`jace.ir.normal_form` is what a retrace can give back at all; here is what stands in its way: constants in another order
than that of their first use, and the equations that bind would simplify away (`needs_raw`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace.ir import new_jaxpr_eqn
from jace.releases import inline_of
from jace_repro.emitter.core.errors import EmitError

_literal: Any = Literal
_var: Any = Var
_replace: Any = Jaxpr.replace
_struct: Any = jax.ShapeDtypeStruct
_CLOSED_CALLS = frozenset({"closed_call", "core_call", "call", "eval_jaxpr"})


def consts_in_order(jaxpr: Jaxpr) -> bool:
    """Whether tracing the equations meets the constants in the order of the constvars, each at least once."""
    wanted = set(jaxpr.constvars)
    met: dict[Var, None] = {}
    for eqn in jaxpr.eqns:
        met.update((v, None) for v in eqn.invars if isinstance(v, Var) and v in wanted)
    met.update((v, None) for v in jaxpr.outvars if isinstance(v, Var) and v in wanted)
    return list(met) == list(jaxpr.constvars)


def needs_raw(eqn: JaxprEqn) -> bool:
    """Whether binding the equation would not stage it: JAX forwards, folds, inlines or cannot bind it."""
    operand: Any = eqn.invars[0].aval if eqn.invars else None
    name = eqn.primitive.name
    if name in _CLOSED_CALLS:
        return True
    if name == "jit":
        return inline_of(eqn.params) is not None
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
    high = eqn.primitive.is_high(*avals, **eqn.params)
    impl: Any = functools.partial(eqn.primitive.to_lojax if high else eqn.primitive.impl, **eqn.params)
    known = {i: literal_value(v) for i, v in enumerate(eqn.invars) if isinstance(v, Literal)}
    try:
        try:
            traced = jax.make_jaxpr(impl)(*operands)
        except jax.errors.ConcretizationTypeError:  # it looks at values: those of literals are there
            traced = jax.make_jaxpr(lambda *xs: impl(*(known.get(i, x) for i, x in enumerate(xs))))(*operands)
    except Exception as error:
        raise EmitError(f"{eqn.primitive.name}: its implementation cannot be traced: {error}") from error
    inner = {e.primitive for _, e in ir.walk(traced)}
    return None if eqn.primitive in inner else traced


def literal_value(literal: Any) -> Any:
    """A Python scalar where the type is weak, else a NumPy scalar."""
    value = np.asarray(literal.val, literal.aval.dtype)[()]
    return value.item() if literal.aval.weak_type else value
