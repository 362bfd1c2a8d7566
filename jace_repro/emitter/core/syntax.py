"""Python syntax from the texts of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def indented(lines: Iterable[str]) -> list[str]:
    """Lines of a block; empty ones stay empty."""
    return [f"    {line}" if line else "" for line in lines]


def function(name: str, parameters: str, body: Sequence[str], head: str = "") -> list[str]:
    """The lines of a function definition; `head` are its decorators."""
    return [*([head] if head else []), f"def {name}({parameters}):", *indented(body)]


def tuple_of(items: Iterable[str]) -> str:
    """A tuple in its parentheses."""
    texts = list(items)
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def list_of(items: Iterable[str]) -> str:
    """A list."""
    return f"[{', '.join(items)}]"


def targets(names: Sequence[str]) -> str:
    """What a sequence is unpacked into: a, b; the parentheses of a single one tell it from a bare value."""
    return tuple_of(names) if len(names) == 1 else ", ".join(names)


def returned(items: Sequence[str]) -> str:
    """What a function returns that has these results: one is a bare value."""
    if len(items) == 1:
        return items[0]
    return ", ".join(items) if items else "()"
