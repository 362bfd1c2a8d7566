"""Changes of C++, found in its syntax tree."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import tree_sitter
import tree_sitter_cpp

from mutants.mechanical.edits import Edit, without_repetition

#: What becomes of an operator.
BINARY = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",),
    "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
}  # fmt: skip
#: Operators whose operands may not change places.
ORDERED = frozenset({"-", "/", "%", "<<", ">>"})
ASSIGNED = {
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=",
}  # fmt: skip
#: What holds no code that runs.
SILENT = frozenset(
    {"comment", "string_literal", "static_assert_declaration", "preproc_include", "attribute_specifier"}
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)([uUlLzZ]*)")
_FLOAT = re.compile(r"([0-9.]+(?:[eE][-+]?[0-9]+)?)([fFlL]?)")
_CAST = re.compile(
    r"[TIWS]|[fiu](8|16|32|64)|(u?int|float|f|c|bf)[0-9]+(_t)?|int|long|bool|(wide|uint|int)_of<.*>"
)
#: What the installed release of XLA decides, and how fast a loop is.
_RELEASE = re.compile(r"JACE_XLA (<|>=) (\d+)")
_SPEED = re.compile(r"#pragma GCC (unroll|ivdep)")
#: A constant of so many digits has one of them changed, the fourth: about a thousandth.
_MANY_DIGITS = 5


@functools.cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def parsed(text: str) -> Any:
    """The root of the syntax tree of a text."""
    return _parser().parse(text.encode()).root_node


def edits(text: str) -> list[Edit]:
    """All changes of a text, which may be a part of one."""
    return without_repetition(_edits(text), text)


def _edits(text: str) -> Iterator[Edit]:
    places = None if text.isascii() else _characters(text)
    for node in _nodes(parsed(text)):
        if node.type == "preproc_arg":  # the body of a macro, which the parser leaves alone
            body = node.text.decode()
            at = node.start_byte if places is None else places[node.start_byte]
            yield from (e.shifted(at) for e in _edits(body.replace("\\\n", "  ")))
            continue
        for start, end, after, operator in _of_node(node):
            if places is not None:
                start, end = places[start], places[end]
            yield _placed(node, places, start, end, after, operator)


def edit(text: str, start: int, end: int, after: str) -> Edit:
    """The change of a range that somebody wrote."""
    places = None if text.isascii() else _characters(text)
    at = len(text[:start].encode())
    return _placed(parsed(text).descendant_for_byte_range(at, at), places, start, end, after, "written")


def _placed(
    node: Any, places: dict[int, int] | None, start: int, end: int, after: str, operator: str
) -> Edit:
    """The change of a range of a node; `places` of a text with characters of several bytes."""
    function = _function(node)
    around = (function.start_byte, function.end_byte) if function is not None else (-1, -1)
    at = [_statement(node), *around]
    if places is not None:
        at = [places.get(byte, -1) for byte in at]
    return Edit(start, end, after, operator, at[0], _name(function), (at[1], at[2]))


def _characters(text: str) -> dict[int, int]:
    """Character positions by byte positions."""
    ends = itertools.accumulate((len(c.encode()) for c in text), initial=0)
    return {byte: k for k, byte in enumerate(ends)}


def _nodes(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in SILENT or (node.type == "preproc_call" and _SPEED.search(_text(node))):
            continue
        if node.type in ("preproc_if", "preproc_elif") and (decided := _is_compiled(node)) is not None:
            otherwise = node.child_by_field_name("alternative")
            kept = [c for c in node.children if c != otherwise] if decided else [otherwise]
            stack += [c for c in kept if c is not None]
            continue
        yield node
        stack.extend(reversed(node.children))


def _is_compiled(node: Any) -> bool | None:
    """Whether the compiler sees what `#if` encloses: a matter of XLA's release, and of FMA, which is there."""
    from jace.releases.xla import XLA  # here: a server of mutants must not have imported the right jace

    condition = _text(node.child_by_field_name("condition"))
    release = _RELEASE.search(condition)
    if release is None:
        return True if condition.strip() == "defined(__FMA__)" else None
    sign, number = release.groups()
    later = int(number) > XLA
    return later if sign == "<" else not later


def _statement(node: Any) -> int:
    while node.parent is not None and not node.type.endswith(("_statement", "declaration")):
        node = node.parent
    return int(node.start_byte)


def _function(node: Any) -> Any:
    """The definition of the function around a node, None outside of functions."""
    while node is not None and node.type != "function_definition":
        node = node.parent
    return node


def _name(node: Any) -> str:
    """The name of a function, "" for none."""
    while node is not None and node.type != "function_declarator":
        node = node.child_by_field_name("declarator")
    name = node.child_by_field_name("declarator") if node is not None else None
    return name.text.decode() if name is not None else ""


# --- operators: node -> (start, end, replacement, name) in bytes ------------------------------------------------

_Found = Iterator[tuple[int, int, str, str]]


def _text(node: Any) -> str:
    return str(node.text.decode())


def _whole(node: Any, after: str, name: str) -> tuple[int, int, str, str]:
    return node.start_byte, node.end_byte, after, name


def _of_node(node: Any) -> _Found:
    change = _CHANGES.get(node.type)
    if change is not None:
        yield from change(node)


def _binary(node: Any) -> _Found:
    operator = node.child_by_field_name("operator")
    sign = _text(operator)
    kind = "comparison" if sign in ("<", "<=", ">", ">=", "==", "!=") else "operator"
    for other in BINARY.get(sign, ()):
        yield _whole(operator, other, kind)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign in ORDERED:
        yield _whole(node, f"{_closed(right)} {sign} {_closed(left)}", "operands swapped")
    if sign in ("&&", "||"):
        yield _whole(node, _closed(left), "condition dropped")
        yield _whole(node, _closed(right), "condition dropped")


def _closed(node: Any) -> str:
    """The text of an operand, such that it stays one anywhere."""
    simple = node.type in ("identifier", "number_literal", "call_expression", "parenthesized_expression")
    return _text(node) if simple else f"({_text(node)})"


def number(text: str) -> list[str]:
    """What becomes of a C++ number: one more and one less, or another digit."""
    if found := _INTEGER.fullmatch(text):
        base = 16 if found[1][:2].lower() == "0x" else 10
        value = int(found[1].replace("'", ""), base)
        shown = hex if base == 16 else str
        return [f"{shown(n)}{found[2]}" for n in (value + 1, value - 1) if n >= 0]
    found = _FLOAT.fullmatch(text)
    if found is None:
        return []
    mantissa, mark, exponent = found[1].partition("e")
    digits = [k for k, c in enumerate(mantissa) if c.isdigit() and mantissa[:k].strip("0.") + c != "0"]
    if len(digits) >= _MANY_DIGITS:
        k = digits[3]
        other = f"{mantissa[:k]}{(int(mantissa[k]) + 1) % 10}{mantissa[k + 1 :]}"
        return [f"{other}{mark}{exponent}{found[2]}"]
    return [f"{float(mantissa) + 1!r}{mark}{exponent}{found[2]}"]


def _number(node: Any) -> _Found:
    for other in number(_text(node)):
        yield _whole(node, other, "constant")


def _flag(node: Any) -> _Found:
    yield _whole(node, "false" if _text(node) == "true" else "true", "flag")


def _unary(node: Any) -> _Found:
    if _text(node.child_by_field_name("operator")) in "-!~":
        yield _whole(node, f"({_text(node.child_by_field_name('argument'))})", "sign dropped")


def _choice(node: Any) -> _Found:
    condition = node.child_by_field_name("condition")
    if condition is not None:
        inner = condition.child_by_field_name("value") if condition.type == "condition_clause" else condition
        if inner is not None:
            yield from (_whole(inner, value, "branch") for value in ("true", "false"))


def _neighbours(node: Any) -> _Found:
    """Arguments swapped with their neighbours."""
    parts = [c for c in node.named_children if c.type != "comment"]
    for a, b in itertools.pairwise(parts):
        between = node.text[a.end_byte - node.start_byte : b.start_byte - node.start_byte].decode()
        yield a.start_byte, b.end_byte, f"{_text(b)}{between}{_text(a)}", "arguments swapped"


def _call(node: Any) -> _Found:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    name = _text(function)
    casts = _CAST.fullmatch(name) or name.startswith("static_cast<")
    if casts and len(arguments.named_children) == 1:
        yield _whole(node, _text(arguments), "cast dropped")


def _cast(node: Any) -> _Found:
    yield _whole(node, _closed(node.child_by_field_name("value")), "cast dropped")


def _assignment(node: Any) -> _Found:
    operator = node.child_by_field_name("operator")
    if (other := ASSIGNED.get(_text(operator))) is not None:
        yield _whole(operator, other, "operator")


def _dropped(node: Any) -> _Found:
    inner = node.named_children[0].type if node.named_children else ""
    if inner in ("assignment_expression", "call_expression", "update_expression"):
        yield _whole(node, ";", "statement dropped")


_CHANGES: dict[str, Callable[[Any], _Found]] = {
    "binary_expression": _binary,
    "number_literal": _number,
    "true": _flag,
    "false": _flag,
    "unary_expression": _unary,
    "if_statement": _choice,
    "conditional_expression": _choice,
    "argument_list": _neighbours,
    "initializer_list": _neighbours,
    "call_expression": _call,
    "cast_expression": _cast,
    "assignment_expression": _assignment,
    "expression_statement": _dropped,
}
