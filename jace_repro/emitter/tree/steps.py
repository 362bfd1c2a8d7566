"""The steps of a function as statements and expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.operators import ATOM
from jace_repro.emitter.tree.bound import bound
from jace_repro.emitter.tree.callees import callee, without_defaults
from jace_repro.emitter.tree.containers import is_container
from jace_repro.emitter.tree.function_arguments import lambda_of
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.emitter.tree.operators import AS_METHOD, method
from jace_repro.emitter.tree.paths import tree_key
from jace_repro.emitter.tree.reroll.loop import write_loop
from jace_repro.emitter.tree.reroll.repeats import loops
from jace_repro.emitter.tree.scopes import WIDTH, Scope
from jace_repro.emitter.tree.uses import count_steps, operation_name
from jace_repro.trace.frames import shown
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Helper,
    Mapped,
    Method,
    Public,
    Step,
    Traced,
    leaves,
    values,
)

#: Steps that are there for what they do, not for what they return.
_EFFECTS = ("jax.debug.print", "jax.experimental.checkify.check", "jax.experimental.checkify.debug_check")


def write_body(writer: FunctionWriter, body: Body, scope: Scope) -> None:
    """Write what a function does, and what it returns, into its scope. Raises EmitError: a step has no source."""
    _write_steps(writer, body.steps, 0, scope)
    _write_return(writer, body, scope)


def _write_steps(writer: FunctionWriter, steps: Sequence[Step], index: int, scope: Scope) -> int:
    """Write steps, the first of which is number `index` of the function; returns the number after the last."""
    repeated = loops(steps, writer.uses) if len(steps) > 2 else {}
    position = 0
    while position < len(steps):
        for rounds in repeated.get(position, ()):
            if write_loop(writer, rounds, index, scope, _write_steps):
                index += rounds.size * rounds.count
                position = rounds.repeat.end
                break
        else:
            index = _written(writer, steps[position], index, scope)
            position += 1
    return index


def _written(writer: FunctionWriter, step: Step, index: int, scope: Scope) -> int:
    """Write a step, number `index` of the function; returns the number after it."""
    if not isinstance(step.operation, Mapped):
        _step(writer, index, step, scope)
        return index + 1
    function = _mapped_function(writer, step.operation, step, scope)
    after = index + count_steps([step])
    if function is None:
        for run in step.operation.runs:
            index = _write_steps(writer, run.steps, index, scope)
    else:
        _step(writer, after - 1, step, scope, function)
    return after


def _mapped_function(writer: FunctionWriter, operation: Mapped, step: Step, scope: Scope) -> str | None:
    """The function of a `jax.tree.map`, where it does the same for every leaf; None to write out each."""
    runs = [
        run
        for run in operation.runs
        if run.steps or run.result is not None or any(leaf is not None for leaf in leaves(run.args))
    ]
    plain = all(isinstance(arg, Traced) or not is_container(arg) for run in runs for arg in run.args)
    # a map that takes other things for leaves than None, whose result is None, is not that of the script
    if len(runs) < 2 or not plain or len(runs) != sum(leaf is not None for leaf in leaves(step.args[0])):
        return None
    if any(not run.steps or run.problem for run in runs):
        return None
    if len({repr([type(leaf) for leaf in leaves(run.args)]) for run in runs}) > 1:
        return None
    try:
        writer.arguments.given(step.args, {}, scope, {})
    except EmitError:  # leaves that are no values
        return None
    texts = {repr(writer.lines(run, scope, None)) for run in runs}
    if len(texts) > 1:
        return None
    text = lambda_of(writer, runs[0], scope) if operation.function.name == "<lambda>" else None
    return text or writer.function(runs[0], scope)


def _step(writer: FunctionWriter, index: int, step: Step, scope: Scope, mapped: str | None = None) -> None:
    """Write a step, number `index` of the function; `mapped` is the function of a `jax.tree.map`."""
    new = [t for t in values(step.result) if t.id not in scope.names]
    waiting = {i for p in scope.pending for i in p.holds}
    new = [t for t in new if t.id not in waiting]
    public = step.operation.name if isinstance(step.operation, Public) else ""
    idle = public not in _EFFECTS and not step.bodies and not isinstance(step.operation, Bound)
    if idle and not new:
        return
    try:
        if mapped is None:
            text, level, result = _call(writer, step, scope)
        else:
            given = writer.arguments.given(step.args, {}, scope, {})
            text, level, result = f"jax.tree.map({mapped}, {given})", ATOM, step.result
    except EmitError as error:
        raise _located(error, step) from error
    once = not step.targets and all(scope.uses.get(value.id) == 1 for value in values(result))
    once = once and (
        isinstance(result, Traced) or (isinstance(step.operation, Helper) and type(result) is tuple)
    )
    definitions, scope.definitions = scope.definitions, []
    if definitions or step.config:  # what was computed under other options is no part of it
        scope.flush()
    if definitions:
        scope.statements.append((definitions, step.config))
    try:
        text = scope.resolved(text)
    except EmitError as error:
        raise _located(error, step) from error
    if once and "\n" not in text and len(text) <= WIDTH and not step.config:
        scope.postpone(result, text, level, index)
        return
    scope.flush()
    scope.assign(index, step, result, text)


def _write_return(writer: FunctionWriter, body: Body, scope: Scope) -> None:
    """Write what a function returns."""
    if type(body.result) is tuple and body.result and tree_key(body.result) not in scope.trees:
        text = writer.arguments.items(body.result, scope, {})
        text = f"({text},)" if len(body.result) == 1 else text
    else:
        text = writer.arguments.value(body.result, scope, {})
    text = scope.resolved(text)
    scope.flush()
    scope.statements.append(([f"return {text}"], {}))


def _call(writer: FunctionWriter, step: Step, scope: Scope) -> tuple[str, int, Any]:
    """(text with tokens for values, binding strength, result as the text gives it)."""
    operation = step.operation
    if isinstance(operation, Bound):
        return bound(writer.arguments, writer.jaxprs, operation, step, scope)
    if isinstance(operation, Public) and operation.name in AS_METHOD and isinstance(step.args[0], Traced):
        operation = Method(AS_METHOD[operation.name])
    if isinstance(operation, Method):
        text, level = method(writer.arguments, operation.name, step, scope)
        return text, level, step.result
    called = callee(writer, step, scope)
    args, kwargs = step.args, step.kwargs
    if isinstance(operation, Applied):  # what is not differentiated may be anything, and is in the body
        args, kwargs = writer.arguments.writable(args), writer.arguments.writable(dict(kwargs))
    given = writer.arguments.given(args, without_defaults(operation, kwargs), scope, step.bodies)
    return f"{called}({given})", ATOM, step.result


def _located(error: EmitError, step: Step) -> EmitError:
    """An error that says where the step is, if it does not say where already."""
    if " at " in str(error):
        return EmitError(str(error))
    return EmitError(f"{error}, at {shown(step.line)} ({operation_name(step.operation)})")
