"""From a line of a repro back to the line of the user's program it was recorded from.

The emitter ends a line that the user's own code caused with a comment ``FILE.py:LINE``. What JAX's library
functions did stands in functions of their own, without such comments: their caller's line is the user's.
"""

from __future__ import annotations

import linecache
import re

_PLACE = re.compile(r":(\d+)(?: \((.*)\))?$")
_IN_REPRO = re.compile(r"<repro (?:[^>\n]|>(?!:\d))*>:(\d+)(?: \([^()\n]*\))?")
_COMMENT = re.compile(r"#.*?\s(\S+\.py:\d+)\s*$")
_DEFINITION = re.compile(r"^( *)def (\w+)\(")


def user_line(script: str, place: str) -> str | None:
    """The user's "file.py:line" for a place in a repro ("...:LINE (function)"), None if unknown."""
    return _user_line(script.splitlines(), place)


def _user_line(lines: list[str], place: str) -> str | None:
    match = _PLACE.search(place.strip())
    if match is None:
        return None
    number = int(match[1])
    seen: set[str] = set()
    while 1 <= number <= len(lines):
        comment = _COMMENT.search(lines[number - 1])
        if comment is not None:
            return comment[1]
        function = _enclosing(lines, number)
        if function is None or function in seen:
            return None
        seen.add(function)
        called = re.compile(rf"(?<!def )\b{re.escape(function)}\b")
        callers = (i for i, text in enumerate(lines, 1) if i != number and called.search(text))
        number = next(callers, 0)
    return None


def original_place(place: str) -> str:
    """The user's "file.py:line" for a place in a repro that this process has run, "" where there is none.

    Any other place is answered as it is.
    """
    file = place.partition(" (")[0].rpartition(":")[0]
    lines = linecache.getlines(file)
    if not (file.startswith("<repro ") or (lines and lines[0].startswith("# /// jace-repro"))):
        return place
    return _user_line(lines, place) or ""


def in_user_terms(script: str, text: str) -> str:
    """`text` with every place in the repro ("<repro NAME>:LINE (function)") replaced by the user's line.

    Where that is not known it is a line of the repro.
    """
    return _IN_REPRO.sub(lambda match: user_line(script, match[0]) or f"line {match[1]} of the repro", text)


def _enclosing(lines: list[str], number: int) -> str | None:
    """The name of the function that line `number` is in."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for text in reversed(lines[: number - 1]):
        definition = _DEFINITION.match(text)
        if definition is not None and len(definition[1]) < indent:
            return definition[2]
    return None
