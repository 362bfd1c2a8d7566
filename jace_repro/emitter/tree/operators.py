"""Operators, methods and updates of arrays, with the parentheses that Python needs."""

from __future__ import annotations

from typing import Any

from jace_repro.emitter.core.operators import ATOM, BINARY, BUILTIN, PREFIX, STRENGTHS, UNARY
from jace_repro.emitter.tree.arguments import ArgumentWriter
from jace_repro.emitter.tree.scopes import Scope, token
from jace_repro.trace.model import Step, Traced

#: An operand of these gets parentheses when it is one itself.
_COMPARISON, _POWER = STRENGTHS["<"], STRENGTHS["**"]

#: Public functions that an operator stands for when an array has it.
AS_METHOD = {
    "jax.numpy.negative": "__neg__",
    "jax.numpy.invert": "__invert__",
}


def method(arguments: ArgumentWriter, name: str, step: Step, scope: Scope) -> tuple[str, int]:
    """(text with tokens for values, binding strength) of an operator, method or update of an array."""
    args, bodies = step.args, step.bodies
    bare = name.strip("_")
    if name.startswith("__") and not step.kwargs:
        if bare == "getitem":
            return f"{_operand(arguments, args[0], scope, ATOM)}[{_index(arguments, args[1], scope)}]", ATOM
        if name in PREFIX:
            return f"{PREFIX[name]}{_operand(arguments, args[0], scope, _POWER + 1)}", UNARY
        if name in BUILTIN:
            return f"{BUILTIN[name]}({arguments.items(args, scope, bodies)})", ATOM
        reflected = bare not in BINARY and bare.startswith("r") and bare[1:] in BINARY
        operator = BINARY.get(bare[1:] if reflected else bare)
        if operator is not None and len(args) == 2:
            level = STRENGTHS[operator]
            left, right = reversed(args) if reflected else args
            first = _operand(arguments, left, scope, level + (level in (_COMPARISON, _POWER)))
            second = _operand(arguments, right, scope, level + (level != _POWER))
            return f"{first} {operator} {second}", level
    owner = _operand(arguments, args[0], scope, ATOM)
    if name.startswith("."):
        return f"{owner}{name}", ATOM
    if name.startswith("at."):
        given = arguments.given(args[2:], step.kwargs, scope, bodies)
        return f"{owner}.at[{_index(arguments, args[1], scope)}].{name[3:]}({given})", ATOM
    return f"{owner}.{name}({arguments.given(args[1:], step.kwargs, scope, bodies)})", ATOM


def _operand(arguments: ArgumentWriter, value: Any, scope: Scope, level: int) -> str:
    if isinstance(value, Traced):
        return token(value, level)
    text = arguments.value(value, scope, {})
    simple = not text.startswith(("-", "lambda")) and not (level == ATOM and text[0].isdigit())
    return text if simple else f"({text})"


def _index(arguments: ArgumentWriter, value: Any, scope: Scope) -> str:
    """What stands between the brackets of x[...]."""
    if type(value) is tuple and value:
        items = [arguments.index_item(v, scope) for v in value]
        return ", ".join(items) + ("," if len(items) == 1 else "")
    return arguments.index_item(value, scope)
