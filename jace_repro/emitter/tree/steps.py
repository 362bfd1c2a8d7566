"""The steps of a function as statements and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import plain_identifier
from jace_repro.emitter.flat.flat import is_plain_jit, jit_decorator
from jace_repro.emitter.tree.bound import bound
from jace_repro.emitter.tree.customs import custom
from jace_repro.emitter.tree.operators import AS_METHOD, method
from jace_repro.emitter.tree.paths import is_container, tree_key
from jace_repro.emitter.tree.reroll import fold
from jace_repro.emitter.tree.reroll_loops import loops
from jace_repro.emitter.tree.scopes import ATOM, WIDTH, Scope
from jace_repro.emitter.tree.uses import count_steps, described
from jace_repro.trace.frames import shown
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Called,
    Helper,
    Jitted,
    Mapped,
    Method,
    Public,
    Step,
    Traced,
    leaves,
    values,
)
from jace_repro.trace.public_api import is_default

if TYPE_CHECKING:
    from jace_repro.emitter.tree.functions import Writer

#: Steps that are there for what they do, not for what they return.
_EFFECTS = ("jax.debug.print", "jax.experimental.checkify.check", "jax.experimental.checkify.debug_check")


def write_steps(writer: Writer, steps: Sequence[Step], index: int, scope: Scope) -> int:
    """Write steps, the first of which is number `index` of the function; answers the number after the last."""
    repeated = loops(steps, writer.uses) if len(steps) > 2 else {}
    position = 0
    while position < len(steps):
        for repeat, flow in repeated.get(position, ()):
            if fold(writer, steps, repeat, flow, index, scope, write_steps):
                index += count_steps(steps[position : repeat.end])
                position = repeat.end
                break
        else:
            index = _written(writer, steps[position], index, scope)
            position += 1
    return index


def _written(writer: Writer, step: Step, index: int, scope: Scope) -> int:
    """Write a step, number `index` of the function; answers the number after it."""
    if not isinstance(step.operation, Mapped):
        _step(writer, index, step, scope)
        return index + 1
    folded = _folded(writer, step.operation, step, scope)
    after = index + count_steps([step])
    if folded is None:
        for run in step.operation.runs:
            index = write_steps(writer, run.steps, index, scope)
    else:
        _step(writer, after - 1, step, scope, folded)
    return after


def _folded(writer: Writer, operation: Mapped, step: Step, scope: Scope) -> str | None:
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
        writer.values.arguments(step.args, {}, scope, {})
    except EmitError:  # leaves that are no values
        return None
    texts = {repr(writer.lines(run, scope, None)) for run in runs}
    if len(texts) > 1:
        return None
    return (
        writer.lambda_(runs[0], scope) if operation.function.name == "<lambda>" else None
    ) or writer.function(runs[0], scope)


def _step(writer: Writer, index: int, step: Step, scope: Scope, folded: str | None = None) -> None:
    new = [t for t in values(step.result) if t.id not in scope.names]
    waiting = {i for p in scope.pending for i in p.holds}
    new = [t for t in new if t.id not in waiting]
    public = step.operation.name if isinstance(step.operation, Public) else ""
    idle = public not in _EFFECTS and not step.bodies and not isinstance(step.operation, Bound)
    if idle and not new:
        return
    try:
        if folded is None:
            text, level, result = _call(writer, step, scope)
        else:
            given = writer.values.arguments(step.args, {}, scope, {})
            text, level, result = f"jax.tree.map({folded}, {given})", ATOM, step.result
    except EmitError as error:
        raise _located(error, step) from error
    once = not step.targets and all(scope.uses.get(value.id) == 1 for value in values(result))
    once = once and (
        isinstance(result, Traced) or (isinstance(step.operation, Helper) and type(result) is tuple)
    )
    definitions, scope.definitions = scope.definitions, []
    if definitions:
        scope.flush()
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


def write_return(writer: Writer, body: Body, scope: Scope) -> None:
    """Write what a function answers."""
    if type(body.result) is tuple and body.result and tree_key(body.result) not in scope.trees:
        text = writer.values.items(body.result, scope, {})
        text = f"({text},)" if len(body.result) == 1 else text
    else:
        text = writer.values.value(body.result, scope, {})
    text = scope.resolved(text)
    scope.flush()
    scope.statements.append(([f"return {text}"], {}))


def _call(writer: Writer, step: Step, scope: Scope) -> tuple[str, int, Any]:
    """(text with tokens for values, binding strength, result as the text gives it)."""
    operation = step.operation
    if isinstance(operation, Bound):
        return bound(writer.values, writer.flat, operation, step, scope)
    if isinstance(operation, Public) and operation.name in AS_METHOD and isinstance(step.args[0], Traced):
        operation = Method(AS_METHOD[operation.name])
    if isinstance(operation, Method):
        text, level = method(writer.values, operation.name, step, scope)
        return text, level, step.result
    called = callee(writer, operation, step, scope)
    args, kwargs = step.args, step.kwargs
    if isinstance(operation, Applied):  # what is not differentiated may be anything, and is in the body
        args, kwargs = writer.values.writable(args), writer.values.writable(dict(kwargs))
    given = writer.values.arguments(args, _needed(operation, kwargs), scope, step.bodies)
    return f"{called}({given})", ATOM, step.result


def callee(writer: Writer, operation: Any, step: Step, scope: Scope) -> str:
    """An expression for what is called."""
    if isinstance(operation, Public):
        return writer.values.public(operation.name)
    if isinstance(operation, Applied):
        made = operation.made
        called = callee(writer, made.operation, step, scope)
        given = writer.values.arguments(made.args, _needed(made.operation, made.kwargs), scope, step.bodies)
        return f"{called}({given})"
    if isinstance(operation, Called):
        return scope.known(operation.closure.id)
    if isinstance(operation, Helper):
        return writer.function(operation.body, scope)
    if isinstance(operation, Jitted):
        return _jitted(writer, operation, step, scope)
    return custom(writer, operation, step, scope)


def _jitted(writer: Writer, operation: Jitted, step: Step, scope: Scope) -> str:
    p = operation.params
    assert operation.body is not None
    if not is_plain_jit(p):
        raise EmitError(f"the jitted function {p['name']} has shardings, layouts or compiler options")
    options: dict[str, Any] = {}
    if any(p["donated_invars"]):
        options["donate_argnums"] = _donated(step.args, p["donated_invars"])
    options |= {k: True for k in ("keep_unused", "inline") if p[k]}
    same = plain_identifier(p["name"]) == p["name"] == operation.body.function.name
    head = jit_decorator(writer.script, None if same else p["name"], options)
    return writer.function(operation.body, scope, head)


def _located(error: EmitError, step: Step) -> EmitError:
    """An error that says where the step is, if it does not say where already."""
    if " at " in str(error):
        return EmitError(str(error))
    return EmitError(f"{error}, at {shown(step.line)} ({described(step.operation)})")


def _needed(operation: Any, kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keyword arguments without those that only say what the default is."""
    if not isinstance(operation, Public):
        return kwargs
    return {k: v for k, v in kwargs.items() if not is_default(operation.name, k, v)}


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
