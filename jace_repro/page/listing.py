"""Program text as lines of HTML: coloured by Pygments, each with the lines of the script that it comes from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup, escape
from pygments.lexer import RegexLexer
from pygments.lexers import CppLexer, PythonLexer, TextLexer
from pygments.token import STANDARD_TYPES, Keyword, Name, Number, Operator, Punctuation, Text

#: Classes of tokens that the page colours; others get that of the token they are a kind of.
_COLOURED = frozenset({"k", "kt", "s", "c", "m", "nf", "nc", "nb", "o"})


class JaxprLexer(RegexLexer):
    """Jaxprs as JAX prints them."""

    name = "jaxpr"
    tokens: ClassVar = {
        "root": [
            (r"\b(let|in|lambda)\b", Keyword),
            (r"(?<== )[a-z_]\w*", Name.Function),
            (r":[a-z]\w*\[[^\]]*\]", Keyword.Type),
            (r"\b-?\d+(\.\d+)?(e[+-]?\d+)?\b", Number),
            (r"\b\w+(?==)", Name),
            (r"[{}()\[\];,.]", Punctuation),
            (r"=", Operator),
            (r"\w+|\s+|.", Text),
        ]
    }


LEXERS = {"python": PythonLexer, "c++": CppLexer, "jaxpr": JaxprLexer, "outline": TextLexer}


@dataclass(frozen=True)
class ListedLine:
    """A line: its number, its HTML, and the lines of the script that it comes from."""

    number: int
    html: Markup
    script: tuple[int, ...] = ()


def listing(lines: Iterable[tuple[str, Sequence[int]]], language: str) -> tuple[ListedLine, ...]:
    """Lines with what they come from, coloured as a whole."""
    rows = list(lines)
    if not rows:
        return ()
    lexer = LEXERS[language](ensurenl=False, stripnl=False)
    coloured: list[list[str]] = [[]]
    for token, value in lexer.get_tokens("\n".join(text for text, _ in rows)):
        kind = _class_of(token)
        for number, piece in enumerate(value.split("\n")):
            if number:
                coloured.append([])
            if piece:
                html = escape(piece)
                coloured[-1].append(f'<span class="{kind}">{html}</span>' if kind else str(html))
    return tuple(
        ListedLine(number, Markup("".join(pieces)), tuple(script))
        for number, (pieces, (_, script)) in enumerate(zip(coloured, rows, strict=True), 1)
    )


def _class_of(token: object) -> str:
    while token is not None:
        short = STANDARD_TYPES.get(token, "")
        if short in _COLOURED:
            return str(short)
        token = token.parent  # type: ignore[attr-defined]
    return ""


_COMMENT_HEAD = re.compile(r"# /// .*?^# ///$\n?", re.MULTILINE | re.DOTALL)


def script_listing(source: str, linked: Iterable[int]) -> tuple[ListedLine, ...]:
    """A script from its first line of code on; all lines of a statement come from the line that it begins at.

    Args:
        source: the script.
        linked: the lines that views come from.
    """
    wanted = set(linked)
    owner: dict[int, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr) and node.lineno in wanted and isinstance(node, ast.Call):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                owner[line] = max(owner.get(line, 0), node.lineno)
    lines = [(text, (owner[n],) if n in owner else ()) for n, text in enumerate(source.splitlines(), 1)]
    return listing(lines, "python")[header_lines(source) :]


def header_lines(source: str) -> int:
    """How many lines the headers of a script take, with the empty ones after them."""
    end = max((found.end() for found in _COMMENT_HEAD.finditer(source)), default=0)
    rest = source[end:]
    return source[:end].count("\n") + (len(rest) - len(rest.lstrip("\n")))


def primitives_of(jaxpr: Iterable[tuple[str, Sequence[int]]]) -> dict[int, str]:
    """The primitive that each line of the script computes, by the jaxpr's lines that come from it."""
    found: dict[int, str] = {}
    for text, script in jaxpr:
        named = re.match(r"\s*\S.*? = ([a-z_]\w*)", text)
        if named and len(script) == 1:
            found.setdefault(script[0], named[1])
    return found
