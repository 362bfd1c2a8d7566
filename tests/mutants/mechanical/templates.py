"""Changes of C++ that stands in a string of Python: a template of `str.format`, an f-string, or plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mutants.mechanical import cpp

_LITERAL = re.compile(
    r"""(?P<prefix>[rRbBuUfF]{0,2})(?P<quote>'''|\"\"\"|'|")(?P<body>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""",
    re.DOTALL,
)
_FIELD = re.compile(r"\{\w+\}")
#: A field becomes a name of its length that C++ takes for a variable.
_MARK = "Z"
_MARKED = re.compile(rf"{_MARK}[0-9A-Za-z]_+")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: What is put around an expression and around statements to make them parse.
_AROUND = (("void f(){return (", ");}"), ("void f(){", ";}"))


def changes(source: str, at: int) -> Iterator[tuple[int, int, str, str]]:
    """(start, end, replacement, operator) of the C++ in the string literals of an expression.

    Args:
        source: of the expression: one literal or several in a row.
        at: where it begins.
    """
    for literal in _LITERAL.finditer(source):
        body, start = literal["body"], at + literal.start("body")
        if "b" in literal["prefix"].lower() or not re.search(r"[-+*/<>=&|^%!~?(\d]", body):
            continue
        masked, fields = _masked(body, "f" in literal["prefix"].lower())
        head, tail = _AROUND[bool(re.search(r"[;{]|^\s*(if|for|while)\b", masked))]
        for edit in cpp.edits(f"{head}{masked}{tail}"):
            first, last = edit.start - len(head), edit.end - len(head)
            if 0 <= first <= last <= len(body) and "\\" not in body[first:last]:
                after = _unmasked(edit.after, fields)
                yield start + first, start + last, after, f"{edit.operator} in C++"


def _masked(body: str, formatted: bool) -> tuple[str, dict[str, str]]:
    """The text with names in the place of fields, as long as it was, and the fields by name."""
    fields: dict[str, str] = {}
    pieces, k = [], 0
    while k < len(body):
        width = _field(body, k, formatted)
        if width >= 3 and len(fields) < len(_DIGITS):
            name = f"{_MARK}{_DIGITS[len(fields)]}".ljust(width, "_")
            fields[name] = body[k : k + width]
            pieces.append(name)
        elif body[k] == "\\" or body[k : k + 2] in ("{{", "}}"):
            width = 2
            pieces.append(f"{body[k]} " if body[k] in "{}" else "  ")
        else:
            width = 1
            pieces.append(body[k])
        k += width
    return "".join(pieces), fields


def _field(body: str, k: int, formatted: bool) -> int:
    """The length of the field that begins there, 0 if none does."""
    if body[k] != "{" or body[k : k + 2] == "{{":
        return 0
    if not formatted:
        found = _FIELD.match(body, k)
        return found.end() - k if found else 0
    depth = 0
    for end in range(k, len(body)):
        depth += {"{": 1, "}": -1}.get(body[end], 0)
        if depth == 0:
            return end + 1 - k
    return 0


def _unmasked(text: str, fields: dict[str, str]) -> str:
    pieces, last = [], 0
    for found in _MARKED.finditer(text):
        pieces += [_doubled(text[last : found.start()]), fields.get(found[0], found[0])]
        last = found.end()
    return "".join([*pieces, _doubled(text[last:])])


def _doubled(text: str) -> str:
    """Braces of C++ as a template writes them; they were masked as a brace and a space."""
    return text.replace("{ ", "{{").replace("} ", "}}")
