"""Operators, methods and updates of arrays, with the parentheses that Python needs."""

from __future__ import annotations

from typing import Any

from jace_repro.emitter.tree.scopes import ATOM, Scope, token
from jace_repro.emitter.tree.values import Values
from jace_repro.trace.model import Step, Traced

#: Binding strength of operators, between 0 and `ATOM`; an operand that binds less gets parentheses.
_UNARY, _POWER = 7, 8
_BINARY = {
    "lt": ("<", 0),
    "le": ("<=", 0),
    "eq": ("==", 0),
    "ne": ("!=", 0),
    "gt": (">", 0),
    "ge": (">=", 0),
    "or": ("|", 1),
    "xor": ("^", 2),
    "and": ("&", 3),
    "lshift": ("<<", 4),
    "rshift": (">>", 4),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "truediv": ("/", 6),
    "floordiv": ("//", 6),
    "mod": ("%", 6),
    "matmul": ("@", 6),
    "pow": ("**", _POWER),
}
_PREFIX = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
_BUILTIN = {
    "__abs__": "abs",
    "__divmod__": "divmod",
    "__round__": "round",
    # what no traced value has: calls that raise
    "__bool__": "bool",
    "__int__": "int",
    "__float__": "float",
    "__complex__": "complex",
    "__index__": "range",
    "__len__": "len",
    "__iter__": "iter",
    "__hash__": "hash",
    "__array__": "np.asarray",
}
#: Public functions that an operator stands for when an array has it.
AS_METHOD = {
    "jax.numpy.negative": "__neg__",
    "jax.numpy.invert": "__invert__",
}


def method(values: Values, name: str, step: Step, scope: Scope) -> tuple[str, int]:
    """(text with tokens for values, binding strength) of an operator, method or update of an array."""
    args, bodies = step.args, step.bodies
    bare = name.strip("_")
    if name.startswith("__") and not step.kwargs:
        if bare == "getitem":
            return f"{_operand(values, args[0], scope, ATOM)}[{_index(values, args[1], scope)}]", ATOM
        if name in _PREFIX:
            return f"{_PREFIX[name]}{_operand(values, args[0], scope, _POWER + 1)}", _UNARY
        if name in _BUILTIN:
            return f"{_BUILTIN[name]}({values.items(args, scope, bodies)})", ATOM
        reflected = bare not in _BINARY and bare.startswith("r") and bare[1:] in _BINARY
        operator = _BINARY.get(bare[1:] if reflected else bare)
        if operator is not None and len(args) == 2:
            symbol, level = operator
            left, right = reversed(args) if reflected else args
            strict = level == 0 or symbol == "**"
            first = _operand(values, left, scope, level + (1 if strict else 0))
            second = _operand(values, right, scope, level + (0 if symbol == "**" else 1))
            return f"{first} {symbol} {second}", level
    owner = _operand(values, args[0], scope, ATOM)
    if name.startswith("."):
        return f"{owner}{name}", ATOM
    if name.startswith("at."):
        given = values.arguments(args[2:], step.kwargs, scope, bodies)
        return f"{owner}.at[{_index(values, args[1], scope)}].{name[3:]}({given})", ATOM
    return f"{owner}.{name}({values.arguments(args[1:], step.kwargs, scope, bodies)})", ATOM


def _operand(values: Values, value: Any, scope: Scope, level: int) -> str:
    if isinstance(value, Traced):
        return token(value, level)
    text = values.value(value, scope, {})
    simple = not text.startswith(("-", "lambda")) and not (level == ATOM and text[0].isdigit())
    return text if simple else f"({text})"


def _index(values: Values, value: Any, scope: Scope) -> str:
    """What stands between the brackets of x[...]."""
    if type(value) is tuple and value:
        items = [values.index_item(v, scope) for v in value]
        return ", ".join(items) + ("," if len(items) == 1 else "")
    return values.index_item(value, scope)
