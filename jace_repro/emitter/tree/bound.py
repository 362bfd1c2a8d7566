"""Primitives that a program bound itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax

from jace_repro.emitter.core import avals, grouping, stubs
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.operators import ATOM
from jace_repro.emitter.flat.writer import EquationCall, JaxprWriter
from jace_repro.emitter.tree.arguments import ArgumentWriter
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.model import Bound, Step, Traced, leaves


def bound(
    arguments: ArgumentWriter, jaxprs: JaxprWriter, operation: Bound, step: Step, scope: Scope
) -> tuple[str, int, Any]:
    """(text with tokens for values, binding strength, result as the text gives it) of a primitive.

    It is the readable function that binds it, or the bind.
    """
    primitive, given = operation.primitive, dict(operation.params)
    if primitive.name == "debug_callback":
        return _debug_callback(arguments, given, step, scope)
    if any(hasattr(t.aval, "inner_aval") for t in leaves((step.args, step.result)) if isinstance(t, Traced)):
        raise EmitError("a mutable reference has no call tree")
    operands = [avals.operand(a.aval if isinstance(a, Traced) else jax.typeof(a)) for a in step.args]
    closed = jax.make_jaxpr(lambda *xs: primitive.bind(*xs, **given))(*operands)
    texts = [arguments.value(a, scope, step.bodies) for a in step.args]
    outs = [t for t in leaves(step.result) if isinstance(t, Traced)]
    (eqn,) = closed.jaxpr.eqns if len(closed.jaxpr.eqns) == 1 else (None,)
    if eqn is not None and eqn.primitive is primitive and list(eqn.outvars) == list(closed.jaxpr.outvars):
        call = jaxprs.call(eqn, texts)
    else:
        call = EquationCall(jaxprs.function(closed, primitive.name), texts, len(outs) == 1)
    result = outs[0] if call.single else outs
    if call.groups:
        result = [grouping.value(group) for group in grouping.split(outs, call.groups)]
        result = result[0] if len(result) == 1 else result
    return f"{call.callee}({', '.join(call.arguments)})", ATOM, result


def _debug_callback(
    arguments: ArgumentWriter, given: Mapping[str, Any], step: Step, scope: Scope
) -> tuple[str, int, Any]:
    """A callback that only looks: one that does nothing in its place."""
    callback = stubs.idle_callback(arguments.script, "debug_callback")
    ordered = ", ordered=True" if type(given["effect"]).__name__.startswith("Ordered") else ""
    given_text = "".join(f", {arguments.value(a, scope, {})}" for a in step.args)
    return f"jax.debug.callback({callback}{given_text}{ordered})", ATOM, ()
