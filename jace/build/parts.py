"""A long function of DaCe's in parts: a compiler takes more than twice the time and memory for twice the length.

DaCe writes all states of a program into one function. Of the training step of a transformer (4,500 equations, 27,000
lines) g++ 12 takes 40 s and 1.9 GB; in parts 10 s and 0.3 GB (`scripts/bench_parts.py`). And parts may be compiled at
once (`jace.build.units`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from jace.build import units
from jace.debug.notes import without_notes

#: Lines of a function that stays whole; of a part, and of the least that is one.
LONG, PART, LEAST = 1500, 500, 100

_FUNCTION = r"^void __program_{name}_internal\((?P<parameters>[^)]*)\)\n\{{\n(?P<body>.*?)^\}}\n"
_WORD = re.compile(r"[A-Za-z_]\w*")
#: A statement of the function itself, of no loop or branch.
_STATEMENT = re.compile(r"^ {4}\S.*;$")
#: What it names, but for namespaces, what is of them, members and functions.
_NAME = re.compile(r"(?<![\w:])(?<!->)[A-Za-z_]\w*+(?!\s*(?:::|\())")
_TYPES = frozenset({"bool", "char", "const", "double", "float", "int", "long", "short", "unsigned"}) | {
    f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
#: A variable that gets another value.
_ASSIGNED = re.compile(r"^ *(\w+) = ", re.MULTILINE)
#: An array of the function's own, which nothing else points into.
_ARRAY = re.compile(r"^ {4}(?P<type>\w[\w:]*) \*(?P<name>\w+);$")


@dataclass(frozen=True)
class _Piece:
    """Lines of the function: a state, in braces of its own, or what stands between states.

    Attributes:
        text: the lines.
        code: without their notes.
        is_state: whether it is a state.
    """

    text: str
    code: str
    is_state: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """The names in its code."""
        return frozenset(_WORD.findall(self.code))

    def may_leave(self, parameters: Collection[str], declared: frozenset[str]) -> bool:
        """Whether it may be in a function of its own; an empty line goes with what is about it.

        Args:
            parameters: names that such a function is given the values of.
            declared: other names of the function.
        """
        if not self.is_state:
            return not self.code.strip()
        closed = self.code.count("{") == self.code.count("}") and "goto" not in self.words
        assigned = {found[1] for found in _ASSIGNED.finditer(self.code)}
        return closed and declared.isdisjoint(self.words) and assigned.isdisjoint(parameters)


def in_parts(code: str, name: str) -> str:
    """The code with the states of the program `name` in functions of their own, some to each, where it is long.

    Notes (`jace.debug.notes`) make no difference to what goes where.
    A state stays where it is if it reads a variable of the function, or where it is branched to: those are not in
    straight line.
    """
    found = re.search(_FUNCTION.format(name=re.escape(name)), code, re.MULTILINE | re.DOTALL)
    if found is None or found["body"].count("\n") < LONG:
        return code
    parameters = {_WORD.findall(text)[-1]: text.strip() for text in found["parameters"].split(",")}
    pieces = list(_pieces(found["body"]))
    own = [line for p in pieces if not p.is_state and _STATEMENT.match(line := p.code.rstrip())]
    for array in filter(None, map(_ARRAY.match, own)):
        parameters[array["name"]] = f"{array['type']} * __restrict__ {array['name']}"
    declared = frozenset(_NAME.findall(" ".join(own))) - parameters.keys() - _TYPES
    functions: list[str] = []
    left: list[str] = []
    for leaves, together in itertools.groupby(pieces, lambda piece: piece.may_leave(parameters, declared)):
        for chunk in _chunks(together):
            text, words = "".join(p.text for p in chunk), frozenset[str]().union(*(p.words for p in chunk))
            if not leaves or not words or text.count("\n") < LEAST:
                left.append(text)
                continue
            part = f"__jace_part_{len(functions)}"
            given = [parameter for parameter in parameters if parameter in words]
            takes = ", ".join(parameters[parameter] for parameter in given)
            functions.append(units.part(len(functions), f"{part}({takes})", text))
            left.append(f"    {part}({', '.join(given)});\n")
    if not functions:
        return code
    start, end = found.span("body")
    rest = "".join([code[found.start() : start], *left, code[end:]])
    return "".join([code[: found.start()], units.START, *functions, units.rest(rest)])


def _pieces(body: str) -> Iterator[_Piece]:
    """The function's states, and the lines between them; what a statement before it governs is none."""
    block: list[tuple[str, str]] = []
    before = ";"

    def piece(*, is_state: bool) -> _Piece:
        texts, codes = zip(*block, strict=True)
        block.clear()
        return _Piece("".join(texts), "".join(codes), is_state)

    for line in zip(body.splitlines(True), without_notes(body).splitlines(True), strict=True):
        in_block, code = bool(block), line[1].rstrip()
        block.append(line)
        if in_block or code == "    {":
            if code != "    }":
                continue
            yield piece(is_state=before[-1] in ";{}")
        else:
            yield piece(is_state=False)
        before = code or before
    if block:
        yield piece(is_state=False)


def _chunks(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """These pieces, as many at a time as a part has lines."""
    chunk: list[_Piece] = []
    lines = 0
    for piece in pieces:
        chunk.append(piece)
        lines += piece.text.count("\n")
        if lines >= PART:
            yield chunk
            chunk, lines = [], 0
    if chunk:
        yield chunk
