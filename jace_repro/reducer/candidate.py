"""What the search needs of a program that it makes smaller, whatever form it has: a jaxpr or a script."""

from __future__ import annotations

from collections.abc import Generator
from typing import Protocol, TypeAlias, TypeVar


class Candidate(Protocol):
    """A program on its inputs, and how large it is."""

    @property
    def key(self) -> tuple[int, ...]:
        """Its size, smaller is better, compared field by field."""

    @property
    def length(self) -> int:
        """The first field of `key`: what passes cut out."""

    @property
    def equations(self) -> int:
        """How many equations it has, for people."""

    @property
    def elements(self) -> int:
        """How many elements its arrays have, for people."""

    @property
    def fingerprint(self) -> str:
        """Equal for candidates of which the tests say the same."""

    @property
    def note(self) -> str:
        """What the pass did that made it."""


C = TypeVar("C", bound=Candidate)

#: What a pass is: yields candidates, is sent whether each was taken, and goes on from the one that was.
Steps: TypeAlias = Generator[C, bool, None]
