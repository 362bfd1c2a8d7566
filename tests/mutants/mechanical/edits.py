"""One change of a text: where, what stands there instead, which operator made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Edit:
    """`text[start:end]` becomes `after`.

    Attributes:
        operator: which kind of change it is.
        statement: where the statement begins that it is in: the line that a tracer sees.
        inside: qualified name of the function that it is in, "" at module level.
        around: where this function begins and ends.
    """

    start: int
    end: int
    after: str
    operator: str
    statement: int = -1
    inside: str = ""
    around: tuple[int, int] = (-1, -1)

    def shifted(self, by: int) -> Edit:
        """The same in a text that begins so much earlier."""
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True)
class Mutation:
    """An edit of one file of jace.

    Attributes:
        file: relative to the package: "rules/shape.py".
        text: of the whole file, unchanged.
    """

    file: str
    text: str
    edit: Edit

    @property
    def operator(self) -> str:
        """Which kind of change it is."""
        return self.edit.operator

    @property
    def mutated(self) -> str:
        """The text of the whole file, changed."""
        e = self.edit
        return f"{self.text[: e.start]}{e.after}{self.text[e.end :]}"

    @property
    def line(self) -> int:
        """The line that the edit begins in, from 1."""
        return self.text.count("\n", 0, self.edit.start) + 1

    @property
    def lines(self) -> tuple[int, ...]:
        """The line of the edit, then that of its statement: a tracer reports one of them."""
        first = self.text.count("\n", 0, self.edit.statement) + 1 if self.edit.statement >= 0 else self.line
        return (self.line, first) if first != self.line else (self.line,)

    @property
    def around(self) -> range:
        """The lines of the function that it is in; none outside of functions."""
        first, last = (self.text.count("\n", 0, at) + 1 for at in self.edit.around)
        return range(first, last + 1) if self.edit.around[0] >= 0 else range(0)

    @property
    def before(self) -> str:
        """The lines that change, as they are."""
        return _lines(self.text, self.edit.start, self.edit.end)

    @property
    def after(self) -> str:
        """The same lines, changed."""
        return _lines(self.mutated, self.edit.start, self.edit.start + len(self.edit.after))

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is, wherever its line has moved: file, lines as they are, lines as they become."""
        return self.file, self.before, self.after

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            "file": f"jace/{self.file}", "line": self.line, "operator": self.operator,
            "before": self.before, "after": self.after,
        }  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """What is kept of a mutation, whatever has become of the text: as `Mutation` has it."""

    file: str
    line: int
    operator: str
    before: str
    after: str

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Kept:
        """Of what `Mutation.to_json` gives."""
        fields = (value[name] for name in ("line", "operator", "before", "after"))
        return cls(value["file"].removeprefix("jace/"), *fields)

    @property
    def key(self) -> tuple[str, str, str]:
        """As of the mutation."""
        return self.file, self.before, self.after

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {**asdict(self), "file": f"jace/{self.file}"}


def _lines(text: str, start: int, end: int) -> str:
    """The whole lines around a range, without indentation."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return text[first : len(text) if last < 0 else last].strip()


def without_repetition(edits: Iterator[Edit], text: str) -> list[Edit]:
    """In the order of the text, each change once, and none that changes nothing."""
    found = {(e.start, e.end, e.after): e for e in edits if text[e.start : e.end] != e.after}
    return sorted(found.values(), key=lambda e: (e.start, e.end, e.after))
