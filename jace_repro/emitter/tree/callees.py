"""What a step calls: a public function, what a transform returned, a function of the program's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jace.releases import inline_of
from jace_repro.emitter.core import jit
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import plain_identifier
from jace_repro.emitter.tree.custom_functions import custom_function
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.model import Applied, Called, Helper, Jitted, Public, Step, Traced, leaves
from jace_repro.trace.public_api import is_default, is_jitted


def callee(writer: FunctionWriter, step: Step, scope: Scope) -> str:
    """An expression for what a step calls. Raises EmitError where it has no source."""
    return _callee(writer, step.operation, step, scope)


def without_defaults(operation: Any, kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keyword arguments without those that only say what the default is.

    A number that is given to a jitted function is an operand, and a default is a constant in it.
    """
    if not isinstance(operation, Public):
        return kwargs
    name, jitted = operation.name, is_jitted(operation.name)
    operands = {k for k, v in kwargs.items() if jitted and isinstance(v, int | float | complex)}
    return {k: v for k, v in kwargs.items() if k in operands or not is_default(name, k, v)}


def _callee(writer: FunctionWriter, operation: Any, step: Step, scope: Scope) -> str:
    """The same for an operation of the step's, or one that made it."""
    if isinstance(operation, Public):
        return writer.script.public(operation.name)
    if isinstance(operation, Applied):
        made = operation.made
        called = _callee(writer, made.operation, step, scope)
        kwargs = without_defaults(made.operation, made.kwargs)
        return f"{called}({writer.arguments.given(made.args, kwargs, scope, step.bodies)})"
    if isinstance(operation, Called):
        return scope.known(operation.closure.id)
    if isinstance(operation, Helper):
        return writer.function(operation.body, scope)
    if isinstance(operation, Jitted):
        return _jitted(writer, operation, step, scope)
    return custom_function(writer, operation, step, scope)


def _jitted(writer: FunctionWriter, operation: Jitted, step: Step, scope: Scope) -> str:
    p = operation.params
    assert operation.body is not None
    if not jit.is_plain(p):
        raise EmitError(f"the jitted function {p['name']} has shardings, layouts or compiler options")
    options: dict[str, Any] = {}
    if any(p["donated_invars"]):
        options["donate_argnums"] = _donated(step.args, p["donated_invars"])
    chosen = {"keep_unused": p["keep_unused"] or None, "inline": inline_of(p)}
    options |= {name: value for name, value in chosen.items() if value is not None}
    same = plain_identifier(p["name"]) == p["name"] == operation.body.function.name
    head = jit.decorator(writer.script, None if same else p["name"], options)
    return writer.function(operation.body, scope, head)


def _donated(args: Sequence[Any], donated: Sequence[bool]) -> tuple[int, ...]:
    """Positions of arguments whose every leaf is donated. Raises EmitError when only some of one's are."""
    counts = [sum(isinstance(t, Traced) for t in leaves(a)) for a in args]
    flags = list(donated[len(donated) - sum(counts) :])
    positions = []
    for i, count in enumerate(counts):
        mine, flags = flags[:count], flags[count:]
        if any(mine):
            if not all(mine):
                raise EmitError("a jitted function to which part of an argument is donated")
            positions.append(i)
    return tuple(positions)
