"""What becomes of Python's operators and functions, and what of its syntax computes nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.Is: ("is not",), ast.IsNot: ("is",),
    ast.In: ("not in",), ast.NotIn: ("in",),
}  # fmt: skip
#: An operator as it is written, and what becomes of it.
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*"), ast.Div: ("/", "*"),
    ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
ORDERED = (ast.Sub, ast.FloorDiv, ast.Div, ast.Mod, ast.LShift, ast.RShift)
SPELLED = {ast.Is: "is", ast.IsNot: r"is\s+not", ast.In: "in", ast.NotIn: r"not\s+in"} | {
    kind: re.escape(text)
    for kind, text in zip(
        (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq), ("<", "<=", ">", ">=", "==", "!="), strict=True
    )
}
#: Functions that take the place of others.
RENAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Functions whose only argument takes their place.
CASTS = frozenset({"int", "float", "bool", "tuple", "list", "set", "frozenset", "sorted", "reversed", "abs"})
#: Functions all of whose arguments matter: keys.
KEYS = frozenset({"digest", "hash"})


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def silent(node: ast.AST) -> bool:
    """What says something to people or to type checkers, and computes nothing."""
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # a docstring
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, annotations and the classes of exceptions excepted."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "format_spec") or (
            isinstance(node, ast.ExceptHandler) and name == "type"
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
