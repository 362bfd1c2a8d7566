"""What of the text of an expression stands in which bracket. Strings are no text: what they contain is no bracket."""

from __future__ import annotations

import itertools
import re

OPEN, CLOSE = "([{", ")]}"

STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')


def masked(text: str) -> str:
    """`text` with its strings overwritten."""
    return STRING.sub(lambda match: "_" * len(match[0]), text)


def opening(text: str) -> int:
    """Where the bracket that the last character closes was opened; 0 when it was not."""
    depth = 0
    text = masked(text)
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] in CLOSE) - (text[index] in OPEN)
        if depth == 0:
            return index
    return 0


def items(text: str) -> list[str]:
    """The items between the commas that are in no bracket."""
    if is_comprehension(text):
        return [text]
    parts, depth, start = [], 0, 0
    for index, char in enumerate(masked(text)):
        depth += (char in OPEN) - (char in CLOSE)
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    whole: list[str] = []
    for part in (part for part in (*parts, text[start:].strip()) if part):
        if whole and whole[-1].startswith(("lambda ", "lambda:")) and ":" not in masked(whole[-1]):
            whole[-1] = f"{whole[-1]}, {part}"  # the comma was between parameters
        else:
            whole.append(part)
    return whole


def is_comprehension(text: str) -> bool:
    """Whether there is a `for` that is in no bracket."""
    plain = masked(text)
    depths = itertools.accumulate((c in OPEN) - (c in CLOSE) for c in plain)
    return any(depth == 0 and plain.startswith(" for ", at) for at, depth in enumerate(depths))


def is_index(text: str, start: int) -> bool:
    """Whether the bracket at `start` is that of x[...]."""
    return text[start] == "[" and _follows_value(text, start)


def is_call(text: str, start: int) -> bool:
    """Whether the bracket at `start` holds arguments, so that a comma after the only one changes nothing."""
    return text[start] == "(" and _follows_value(text, start)


def _follows_value(text: str, start: int) -> bool:
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_)]")
