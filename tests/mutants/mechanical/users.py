"""Which names of the runtime lead to a piece of it: what a program mentions that has code of that piece.

The tracer sees lines that there is code of; of a table that the compiler reads there is none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mutants.mechanical import cpp
from mutants.mechanical.scope import PACKAGE

_OUTER = frozenset(
    {
        "translation_unit",
        "namespace_definition",
        "declaration_list",
        "preproc_if",
        "preproc_else",
        "preproc_ifdef",
    }
)
_NAMED = frozenset(
    {"function_definition", "declaration", "template_declaration", "struct_specifier", "preproc_def"}
)
_WORD = re.compile(r"[A-Za-z_]\w+")
_TEMPLATE = re.compile(r"^\s*template\s*<[^>]*>")
#: What is defined: a function, a table, a constant, a type.
_DEFINED = re.compile(r"\b(operator\W{1,2}|[A-Za-z_]\w+)\s*(?:\(|\[|=|\{)")


@dataclass(frozen=True)
class Definition:
    """A definition at the outer level of a header.

    Attributes:
        start, end: where it stands, in characters.
        name: what it defines.
        words: what it mentions.
    """

    file: str
    start: int
    end: int
    name: str
    words: frozenset[str]


def leading_to(file: str, place: int) -> frozenset[str]:
    """The names of the definition at a place of a header, and of those that mention it, directly or not."""
    found = {d.name for d in definitions() if d.file == file and d.start <= place < d.end}
    new = found
    while new:
        new = {d.name for d in definitions() if not new.isdisjoint(d.words)} - found
        found |= new
    return frozenset(found)


@functools.cache
def definitions() -> tuple[Definition, ...]:
    """All definitions of the runtime's headers."""
    headers = sorted(PACKAGE.glob("build/runtime/*.h"))
    return tuple(
        d for path in headers for d in _of_file(path.relative_to(PACKAGE).as_posix(), path.read_text())
    )


def _of_file(file: str, text: str) -> Iterator[Definition]:
    data = text.encode()
    for node in _outermost(cpp.parsed(text)):
        start, end = (len(data[:at].decode()) for at in (node.start_byte, node.end_byte))
        piece = text[start:end]
        if (defined := _DEFINED.search(_TEMPLATE.sub("", piece))) is not None:
            yield Definition(file, start, end, defined[1], frozenset(_WORD.findall(piece)))


def _outermost(node: Any) -> Iterator[Any]:
    for child in node.children:
        if child.type in _NAMED:
            yield child
        elif child.type in _OUTER:
            yield from _outermost(child)
