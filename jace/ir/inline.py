"""Inlining: calls give way to their bodies, without the state that those keep to themselves."""

from __future__ import annotations

from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import calls
from jace.ir.rewrite import Splice, splice
from jace.ir.state import purify


def expand_call(eqn: JaxprEqn) -> Splice | None:
    """The body of a call equation, or None when the equation is not a call."""
    if eqn.primitive.name == "jace_call":
        # its effects on refs and boxes of its own do not show from outside: it is made pure by itself
        return Splice(purify(eqn.params["jaxpr"]), eqn.invars, from_user=True)
    return calls.expand_call(eqn)


def inline_calls(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` without call equations and without state, at every depth."""
    return splice(purify(closed), expand_call)
