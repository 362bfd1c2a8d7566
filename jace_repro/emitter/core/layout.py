"""Lines of source: what is too long is broken as `ruff format --line-length 110` would break it, or leaves it.

An emitter writes a statement as one line; `fitted` breaks those that do not fit. A bracket whose items stand on
lines of their own ends with a comma, which formatters take for a wish and leave as it is.
"""

from __future__ import annotations

import io
import itertools
import re
import tokenize
from collections.abc import Sequence

from jace_repro.emitter.core import brackets, syntax
from jace_repro.emitter.core.operators import STRENGTHS

#: Longest line of a script.
WIDTH = 110


def call(target: str, callee: str, items: Sequence[str], comment: str, indent: int = 4) -> list[str]:
    """The lines of `target = callee(items)  # comment`."""
    head = f"{target} = {callee}" if target else callee
    line = f"{head}({', '.join(items)})"
    if not items or len(line) + len(comment) <= WIDTH - indent:
        return [f"{line}{comment}"]
    inner = _arguments(items, indent + 4)
    if len(head) + 1 + len(comment) > WIDTH - indent:
        return [comment.strip(), f"{head}(", *syntax.indented(inner), ")"]
    return [f"{head}({comment}", *syntax.indented(inner), ")"]


def broken(item: str, indent: int) -> list[str]:
    """One item of a bracket and its comma, on as many lines as it takes."""
    lines = expression(item, indent, 1)
    return [*lines[:-1], f"{lines[-1]},"]


def listed(item: str, comment: str, indent: int) -> list[str]:
    """One item of a bracket with what is said of it: before it, where it does not fit beside it."""
    if len(item) + 1 + len(comment) <= WIDTH - indent:
        return [f"{item},{comment}"]
    return [comment.strip(), *broken(item, indent)]


def fitted(source: str) -> str:
    """A script in which every statement on a line that is too long has as many lines as it takes."""
    lines = source.split("\n")
    written: list[str] = []
    last = 0
    for first, end in _logical_lines(source):
        written += lines[last:first]
        last = end
        text = lines[first]
        indent = len(text) - len(text.lstrip())
        if end - first > 1:
            written += lines[first:end]
        else:
            code, comment = _parted(text.strip())
            written += [f"{' ' * indent}{line}" for line in statement(code, comment, indent)]
    return "\n".join([*written, *lines[last:]])


def _logical_lines(source: str) -> list[tuple[int, int]]:
    """(first line, line after the last) of every statement or head of one."""
    found: list[tuple[int, int]] = []
    start = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            assert start is not None
            found.append((start, token.end[0]))
            start = None
        elif start is None and token.type not in _BLANK:
            start = token.start[0] - 1
    return found


_BLANK = frozenset((tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))


def _parted(line: str) -> tuple[str, str]:
    """(code, comment with the blanks before it) of a line."""
    start = brackets.masked(line).find("#")
    if start < 0:
        return line, ""
    return line[:start].rstrip(), f"  {line[start:]}"


#: What stands before the expression of a statement that may get parentheses around it.
_BEFORE = re.compile(r"(?:return |raise |[\w.,()* ]+? = )?")

_HEAD = re.compile(r"for .+? in |with |def ")


def statement(text: str, comment: str = "", indent: int = 4) -> list[str]:
    """The lines of a statement; the comment has a line of its own where it does not fit."""
    text = _without_blanks(_without_blanks(text))  # the second operand may be the first of another power
    if len(text) + len(comment) <= WIDTH - indent:
        return [f"{text}{comment}"]
    above = [comment.strip()] if comment else []
    if len(text) <= WIDTH - indent:
        return [*above, text]
    if text.endswith(":"):  # the head of a function or loop
        head = _HEAD.match(text)
        before = head[0] if head is not None else ""
        lines = expression(text[len(before) : -1], indent, 1, len(before))
        return [*above, *f"{before}{chr(10).join(lines)}:".split("\n")]
    head = _BEFORE.match(text)
    before = head[0] if head is not None else ""
    value = text[len(before) :]
    if len(brackets.items(value)) > 1 or _needs_parentheses(value):
        return [*above, f"{before}(", *syntax.indented(_inside(value, indent + 4)), ")"]
    lines = expression(value, indent, 0, len(before))
    return [*above, f"{before}{lines[0]}", *lines[1:]]


def _inside(value: str, indent: int) -> list[str]:
    """The lines of what stands between parentheses: items with their commas, or one expression."""
    parts = brackets.items(value)
    if len(parts) > 1:
        return [line for part in parts for line in broken(part, indent)]
    return expression(value, indent, 0)


def _needs_parentheses(value: str) -> bool:
    """Whether a formatter puts parentheses around an expression that is too long, rather than to break a bracket."""
    places = _operators(value)
    start = brackets.opening(value) if value[-1] in brackets.CLOSE else 0
    ends = (
        value[-1] in brackets.CLOSE
        and value[start + 1 : -1].strip() != ""
        and not brackets.is_index(value, start)
    )
    return len(places) > 1 or (len(places) == 1 and not ends)


#: Attributes after a bracket.
_ATTRIBUTES = re.compile(r"(?<=[)\]}])(\.[A-Za-z_]\w*)+$")


def expression(text: str, indent: int, after: int, before: int = 0) -> list[str]:
    """The lines of an expression inside a bracket: broken at its weakest operators, or in its last bracket.

    `before` and `after`: how many characters stand before it on its first line, and after it on its last.
    """
    if before + len(text) + after <= WIDTH - indent:
        return [text]
    places = [] if before else _operators(text)
    if places:
        starts = [0, *places, len(text)]
        operands = [text[a:b].strip() for a, b in itertools.pairwise(starts)]
        return [line for operand in operands for line in expression(operand, indent, after)]
    attributes = _ATTRIBUTES.search(text)
    if attributes is not None:  # f(...).name
        lines = expression(text[: attributes.start()], indent, len(attributes[0]) + after, before)
        return [*lines[:-1], lines[-1] + attributes[0]]
    if not text or text[-1] not in brackets.CLOSE:
        return [text]
    start = brackets.opening(text)
    parts = brackets.items(text[start + 1 : -1])
    if not parts or (start == 0 and text[0] not in brackets.OPEN):
        return [text]
    if before + start + 1 > WIDTH - indent and text[start - 1] in brackets.CLOSE:  # f(...)(x)
        called = expression(text[:start], indent, len(text) - start + after, before)
        return [*called[:-1], called[-1] + text[start:]]
    wrapped = text[start] == "(" and not brackets.is_call(text, start) and text[-2] != ","
    group = brackets.is_comprehension(parts[0]) or (
        len(parts) == 1 and (brackets.is_index(text, start) or wrapped)
    )
    if group:
        return [text[: start + 1], *syntax.indented(_inside(parts[0], indent + 4)), text[-1]]
    if brackets.is_call(text, start):
        inner = _arguments(parts, indent + 4)
    else:
        inner = [line for part in parts for line in broken(part, indent + 4)]
    return [text[: start + 1], *syntax.indented(inner), text[-1]]


def _arguments(items: Sequence[str], indent: int) -> list[str]:
    """What stands in the parentheses of a call that does not fit on its line: one line, or one for each argument."""
    together = ", ".join(items)
    if len(together) <= WIDTH - indent:
        return [together]
    return [line for item in items for line in broken(item, indent)]


def _operators(text: str) -> list[int]:
    """Where the operators stand that bind least, of those in no bracket; nowhere in a lambda or a keyword argument."""
    found: dict[int, list[int]] = {}
    depth, operand = 0, False
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):  # half an expression: a part that `brackets.items` cut
        return []
    for token in tokens:
        string = token.string
        depth += (string in tuple(brackets.OPEN)) - (string in tuple(brackets.CLOSE))
        if depth == 0 and (string in ("lambda", "if", "=", ":") or token.type == tokenize.ERRORTOKEN):
            return []
        if depth == 0 and operand and string in STRENGTHS:
            found.setdefault(STRENGTHS[string], []).append(token.start[1])
            operand = False
        elif depth == 0:
            operand = token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING) or string in tuple(
                brackets.CLOSE
            )
    return found[min(found)] if found else []


#: A string, or a power whose operands formatters put no blanks around: names, attributes and numbers.
_POWERS = re.compile(
    rf"(?P<string>{brackets.STRING.pattern})"
    r"|(?<![\w.)\]])([A-Za-z_\d][\w.]*) \*\* (-?[A-Za-z_\d][\w.]*)(?![\w.(\[])"
)


def _without_blanks(text: str) -> str:
    return _POWERS.sub(lambda match: match["string"] or f"{match[2]}**{match[3]}", text)
