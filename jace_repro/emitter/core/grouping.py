"""Operands and results in groups: what the public functions of loops take and give, and equations have in a row.

A group of one is that one, one of none is None, any other a tuple.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from jace_repro.emitter.core import syntax

T = TypeVar("T")

#: How many are in each group.
Sizes = tuple[int, ...]


def split(items: Sequence[T], sizes: Sizes) -> list[list[T]]:
    """The items of each group."""
    found, start = [], 0
    for size in sizes:
        found.append(list(items[start : start + size]))
        start += size
    return found


def value(group: Sequence[Any]) -> Any:
    """A group as a value."""
    return (group[0] if len(group) == 1 else tuple(group)) if group else None


def texts(items: Sequence[str], sizes: Sizes) -> str:
    """The groups as an expression list, to be returned or handed on."""
    return _joined(split(items, sizes), "None")


def targets(items: Sequence[str], sizes: Sizes) -> str:
    """What the groups are unpacked into."""
    return _joined(split(items, sizes), "_")


def text(group: Sequence[str], none: str = "None") -> str:
    """A group as an expression."""
    return (group[0] if len(group) == 1 else syntax.tuple_of(group)) if group else none


def _joined(groups: Sequence[Sequence[str]], none: str) -> str:
    if len(groups) == 1 and len(groups[0]) > 1:  # the parentheses would say nothing
        return ", ".join(groups[0])
    return ", ".join(text(group, none) for group in groups)
