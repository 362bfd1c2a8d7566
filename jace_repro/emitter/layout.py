"""Lines of source: what is too long is broken as a formatter would break it."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Longest line of a script, comments aside.
WIDTH = 100

_OPEN, _CLOSE = "([{", ")]}"


def call(target: str, callee: str, items: Sequence[str], comment: str, indent: int = 4) -> list[str]:
    """The lines of `target = callee(items)  # comment`."""
    head = f"{target} = {callee}" if target else callee
    line = f"{head}({', '.join(items)})"
    if len(line) <= WIDTH - indent:
        return [f"{line}{comment}"]
    inner = [line for item in items for line in broken(item, indent + 4)]
    return [f"{head}({comment}", *("    " + line for line in inner), ")"]


def broken(item: str, indent: int) -> list[str]:
    """One argument and its comma; if it is too long, the items of its last bracket on lines of their own."""
    if len(item) + 1 <= WIDTH - indent or item[-1] not in _CLOSE:
        return [f"{item},"]
    start = _matching(item)
    parts = _split(item[start + 1 : -1])
    if (
        (start == 0 and item[0] not in _OPEN)
        or not parts
        or (item[-1] == ")" and len(parts) == 1 and item[-2] == ",")
    ):
        return [f"{item},"]
    inner = [line for part in parts for line in broken(part, indent + 4)]
    return [item[: start + 1], *("    " + line for line in inner), f"{item[-1]},"]


#: Operands of a power that formatters put no blanks around: names, attributes and numbers.
_POWER = re.compile(r"(?<![\w.)\]])([A-Za-z_\d][\w.]*) \*\* (-?[A-Za-z_\d][\w.]*)(?![\w.(\[])")


def statement(text: str, comment: str = "", indent: int = 4) -> list[str]:
    """The lines of a statement: where it is too long, what is in its last bracket goes on lines of its own."""
    if "'" not in text and '"' not in text:
        text = _POWER.sub(r"\1**\2", text)
    if len(text) <= WIDTH - indent:
        return [f"{text}{comment}"]
    masked = _masked(text)
    end = max(masked.rfind(close) for close in _CLOSE)
    start = _matching(text[: end + 1]) if end >= 0 else 0
    parts = _split(text[start + 1 : end])
    if start <= 0 or not parts:
        return [f"{text}{comment}"]
    inner = [line for part in parts for line in broken(part, indent + 4)]
    if len(parts) == 1 and not _is_call(text, start) and not text[:end].endswith(","):
        inner[-1] = inner[-1].removesuffix(",")  # parentheses around one expression, or an index
    return [f"{text[: start + 1]}{comment}", *("    " + line for line in inner), text[end:]]


def _is_call(text: str, start: int) -> bool:
    """Whether the bracket at `start` holds arguments, so that a comma after the only one changes nothing."""
    return text[start] == "(" and (text[start - 1].isalnum() or text[start - 1] in "_)]")


def _matching(text: str) -> int:
    """Where the bracket that the last character closes was opened; 0 when it was not."""
    depth = 0
    text = _masked(text)
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] in _CLOSE) - (text[index] in _OPEN)
        if depth == 0:
            return index
    return 0


def _split(text: str) -> list[str]:
    """The items between the commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(_masked(text)):
        depth += (char in _OPEN) - (char in _CLOSE)
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    whole: list[str] = []
    for part in (part for part in (*parts, text[start:].strip()) if part):
        if whole and whole[-1].startswith("lambda") and ":" not in _masked(whole[-1]):
            whole[-1] = f"{whole[-1]}, {part}"  # the comma was between parameters
        else:
            whole.append(part)
    return whole


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')


def _masked(text: str) -> str:
    """`text` with its strings overwritten: what they contain is no bracket."""
    return _STRING.sub(lambda match: "_" * len(match[0]), text)
