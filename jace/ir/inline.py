"""Inlining: calls give way to their bodies, without the state that those keep to themselves; or are kept as calls."""

from __future__ import annotations

from jax.extend.core import ClosedJaxpr, JaxprEqn, Primitive, Var

from jace.ir import calls
from jace.ir.core import make_closed
from jace.ir.rewrite import Splice, splice
from jace.ir.state import purify
from jace.jax_internals import new_jaxpr_eqn

#: A call that is kept. Parameters: `call_jaxpr`, closed, of its operands; `name`, of the function.
KEPT = Primitive("kept_call")
KEPT.multiple_results = True


def expand_call(eqn: JaxprEqn) -> Splice | None:
    """The body of a call equation, or None when the equation is not a call."""
    if eqn.primitive.name == "jace_call":
        # its effects on refs and boxes of its own do not show from outside: it is made pure by itself
        return Splice(purify(eqn.params["jaxpr"]), eqn.invars, from_user=True)
    return calls.expand_call(eqn)


def inline_calls(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` without call equations and without state, at every depth."""
    return splice(purify(closed), expand_call)


def keep_call(eqn: JaxprEqn) -> Splice | None:
    """One `kept_call` in the place of a call that computes something; None for any other equation."""
    call = expand_call(eqn) if eqn.primitive.name in calls.CALLS else None
    if call is None or not call.body.jaxpr.eqns:
        return call
    body = call.body.jaxpr
    operands, outvars = ([Var(v.aval) for v in side] for side in (body.invars, body.outvars))
    name = eqn.params.get("name") or body.debug_info.func_name or eqn.primitive.name
    params = {"call_jaxpr": call.body, "name": str(name)}
    kept = new_jaxpr_eqn(operands, outvars, KEPT, params, set(), eqn.source_info)
    return Splice(make_closed(operands, outvars, [kept]), call.operands, from_user=True)
