"""Attributes of JAX's objects that others stand in for, made and taken back together."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Change:
    """An attribute of an object of JAX's: what it is, and what it is made."""

    owner: Any
    name: str
    plain: Any
    hooked: Any


def change(owner: Any, name: str, hooked: Any) -> Change:
    """To have ``hooked`` stand in for an attribute of an object's own."""
    return Change(owner, name, owner.__dict__[name], hooked)


class Changes:
    """Changes that are made and taken back together, hundreds around every trace: the loop is C's."""

    def __init__(self, changes: Iterable[Change]) -> None:
        listed = tuple(changes)
        self._owners, self._names = [c.owner for c in listed], [c.name for c in listed]
        self._plain, self._hooked = [c.plain for c in listed], [c.hooked for c in listed]

    def make(self) -> None:
        """Each object gets what is to stand in for its own."""
        self._set(self._hooked)

    def take_back(self) -> None:
        """Each object is as it was."""
        self._set(self._plain)

    def _set(self, values: list[Any]) -> None:
        collections.deque(map(setattr, self._owners, self._names, values), maxlen=0)
