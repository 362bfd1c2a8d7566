"""Functions with derivative or batching rules of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jace_repro.emitter.core import syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.names import words
from jace_repro.emitter.tree.functions import FunctionWriter
from jace_repro.emitter.tree.rule_bodies import dropped, rule_bodies, static_body
from jace_repro.emitter.tree.scopes import Scope
from jace_repro.trace.model import Body, Custom, Step, Traced, leaves


@dataclass(frozen=True)
class _Kind:
    """How a class of such functions is written: its decorator, and the method that takes the rules."""

    decorator: str
    define: str


_KINDS = {
    "custom_jvp": _Kind("@jax.custom_jvp", "defjvp"),
    "custom_vjp": _Kind("@jax.custom_vjp", "defvjp"),
    "custom_vmap": _Kind("@jax.custom_batching.custom_vmap", "def_vmap"),
}


def custom_function(writer: FunctionWriter, operation: Custom, step: Step, scope: Scope) -> str:
    """The name of a function with its rules: they may call it, so it has its name before they are written."""
    body = step.bodies.get(id(operation.function)) or static_body(operation)
    rules = rule_bodies(operation, step)
    if body is None and not any(rules):
        raise EmitError(f"the function {operation.function.name} was not traced")
    captured = {i for b in (body, *rules) if b is not None for i in writer.uses.free(b)}
    local = bool(captured)
    for value in captured & scope.names.keys():  # rules run later: what they capture keeps its name
        scope.taken |= words(scope.names[value])
    alike = tuple(_key(writer, b, scope) for b in (body, *rules))
    where: Scope | None = scope
    while where is not None:  # defined here, or in a function around this one
        key = (id(operation.owner), local and where.number, *alike)
        if key in writer.custom_functions:
            return writer.custom_functions[key]
        where = where.outer if local else None
    key = (id(operation.owner), local and scope.number, *alike)
    if operation.kind == "custom_vmap":
        writer.script.imports.add("import jax.custom_batching")
    kind = _KINDS[operation.kind]
    if body is not None:
        name = writer.function(body, scope, kind.decorator, drop=operation.nondiff, again=True)
        writer.custom_functions[key] = name
    names = []
    for rule, drop in zip(rules, dropped(operation), strict=True):
        names.append(writer.function(rule, scope, drop=drop) if rule else writer.script.use("no_rule"))
    if body is None:
        name = writer.custom_functions[key] = _primal(writer, operation, names, local, scope)
    if operation.kind == "custom_vmap" and names == ["no_rule"]:
        return name
    symbolic = ", symbolic_zeros=True" if operation.symbolic_zeros else ""
    line = f"{name}.{kind.define}({', '.join(names)}{symbolic})"
    if local:
        scope.definitions.append(line)
    else:
        writer.script.definitions.append(line + "\n")
    return name


def _primal(
    writer: FunctionWriter, operation: Custom, rules: Sequence[str], local: bool, scope: Scope
) -> str:
    """The function itself where only its rules ran, because it was differentiated at once."""
    forward = operation.kind == "custom_vjp" and rules[0] != "no_rule"
    result = f"{rules[0]}(*args)[0]" if forward else f"{writer.script.use('no_rule')}(*args)"
    body = [f"return {result}"]
    hint, decorator = operation.function.name, _KINDS[operation.kind].decorator
    if not local:
        return writer.define(hint, decorator, "*args", body)
    name = writer.local_name(hint, scope)
    scope.definitions += ["", *syntax.function(name, "*args", body, decorator), ""]
    return name


def _key(writer: FunctionWriter, body: Body | None, scope: Scope) -> Any:
    """What two runs of a function have in common when one definition serves both."""
    if body is None:
        return None
    types = [leaf.aval if isinstance(leaf, Traced) else repr(leaf) for leaf in leaves(body.args)]
    return str(types), repr([scope.names.get(i) for i in sorted(writer.uses.free(body))])
