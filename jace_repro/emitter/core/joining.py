"""Lines of source, the other way round: what `layout.fitted` has broken is one line for each statement again.

So a statement can be edited as a piece of text, whatever its length.
"""

from __future__ import annotations

import io
import itertools
import tokenize
from collections.abc import Iterator, Sequence

from jace_repro.emitter.core import brackets

#: What is no part of a statement.
_BETWEEN = frozenset((tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))


def joined(source: str) -> str:
    """A script in which every statement, or head of one, is one line, with what is said of it at its end.

    `layout.fitted` makes the script of it that an emitter writes.
    """
    lines = source.split("\n")
    written: list[str] = []
    last = 0
    for tokens in _statements(source):
        first, end = tokens[0].start[0] - 1, tokens[-1].end[0]
        text, comments = _one_line(tokens)
        indent = lines[first][: tokens[0].start[1]]
        above = lines[last:first]
        if not comments and above and above[-1].startswith(f"{indent}#"):
            comments = [above.pop().strip()]
        written += [*above, "  ".join([f"{indent}{text}", *comments])]
        last = end
    return "\n".join([*written, *lines[last:]])


def _statements(source: str) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each statement or head of one, from its first to its last, and to a comment at its end."""
    found: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            yield found
            found = []
        elif found or token.type not in _BETWEEN:
            found.append(token)


def _one_line(tokens: Sequence[tokenize.TokenInfo]) -> tuple[str, list[str]]:
    """The text of a statement on one line, and its comments."""
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    code = [token for token in tokens if token.type not in (tokenize.COMMENT, tokenize.NL)]
    text = code[0].string
    for before, token in itertools.pairwise(code):
        if before.end[0] == token.start[0]:
            text += " " * (token.start[1] - before.end[1]) + token.string
        elif before.string in brackets.OPEN:
            text += token.string
        elif token.string in brackets.CLOSE:
            text = _closed(text, token.string)
        else:
            text += f" {token.string}"
    return text, comments


def _closed(text: str, bracket: str) -> str:
    """`text` and the bracket that closes on a line of its own, without the comma that nothing needs on one line."""
    start = brackets.opening(text + bracket)
    inner = text[start + 1 :]
    alone = bracket == ")" and not brackets.is_call(text, start) and len(brackets.items(inner)) == 1
    return f"{text if alone else text.removesuffix(',')}{bracket}"
