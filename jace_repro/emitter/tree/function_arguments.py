"""Functions among the arguments of calls: by name, as a lambda, or as what they only pass their arguments on to."""

from __future__ import annotations

from collections.abc import Mapping

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.tree.callees import callee
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.model import (
    Body,
    Bound,
    Custom,
    Function,
    Helper,
    Jitted,
    Mapped,
    Method,
    Public,
    Traced,
    leaves,
)

#: More steps than this are far too long for a lambda, and so is a longer line.
_STEPS, _LENGTH = 12, 60


def function_argument(
    writer: FunctionWriter, function: Function, scope: Scope, bodies: Mapping[int, Body]
) -> str:
    """An expression for a function that is given to another. Raises EmitError: nothing says what it does.

    `bodies`: how functions ran during the step, by their identities.
    """
    body = bodies.get(id(function)) or function.only_body()
    if body is None:
        raise EmitError(f"the function {function.name} was not traced")
    alone = _same_as(writer, body, scope)
    if alone is not None:
        return alone
    if body.function.name == "<lambda>":
        text = lambda_of(writer, body, scope)
        if text is not None:
            return text
    return writer.function(body, scope)


def lambda_of(writer: FunctionWriter, body: Body, scope: Scope) -> str | None:
    """`lambda x: ...` for a function of one short expression, None for any other."""
    if any(
        s.bodies or s.config or isinstance(s.operation, Jitted | Custom | Bound | Mapped | Helper)
        for s in body.steps
    ):
        return None
    if len(body.steps) > _STEPS:
        return None
    parameters, lines = writer.lines(body, scope, None)
    if len(lines) != 1 or "=" in parameters or len(lines[0]) > _LENGTH:
        return None
    result = lines[0].removeprefix("return ")
    if type(body.result) is tuple and len(body.result) > 1:
        result = f"({result})"
    return f"lambda {parameters}: {result}".replace("lambda :", "lambda:")


def _same_as(writer: FunctionWriter, body: Body, scope: Scope) -> str | None:
    """What a function that only passes its arguments on could be replaced by."""
    if len(body.steps) != 1 or body.kwargs or body.steps[0].kwargs or body.steps[0].result != body.result:
        return None
    (step,) = body.steps
    if isinstance(step.operation, Bound | Method | Mapped) or step.args != body.args or step.config:
        return None
    operands = leaves(step.args)
    if not all(isinstance(leaf, Traced) for leaf in operands):
        return None
    uses = writer.uses.of_step(step)
    if any(uses.count(operand.id) > 1 for operand in operands):
        return None  # a function inside it uses them as well
    if isinstance(step.operation, Public) and step.operation.name.startswith("jax.") and step.bodies:
        return None
    return callee(writer, step, scope)
