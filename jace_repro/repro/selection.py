"""Which entries a user means: patterns of ``--select`` and ``--ignore``. Plain data, no JAX needed."""

from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath

from jace_repro.repro.entry import Entry


class PatternError(ValueError):
    """A pattern that is not understood."""


@dataclass(frozen=True)
class Pattern:
    """``GLOB`` for names of functions, or ``KIND:GLOB`` with a kind of `KINDS`."""

    kind: str
    glob: str

    @classmethod
    @functools.cache
    def parse(cls, text: str) -> Pattern:
        """The pattern that a user wrote. Raises PatternError."""
        kind, colon, glob = text.partition(":")
        if not colon:
            kind, glob = _DEFAULT, text
        if kind not in KINDS:
            near = [f"{name}:{glob}" for name in difflib.get_close_matches(kind, KINDS)]
            near += [f"file:{kind}"] if kind.endswith((".py", "/")) else []
            known = ", ".join(f"{name}:" for name in KINDS)
            raise PatternError(f"'{text}' begins with none of {known}{did_you_mean(near)}")
        if not glob:
            raise PatternError(f"'{text}' says nothing after '{kind}:'")
        return cls(kind, glob)

    def __str__(self) -> str:
        return self.glob if self.kind == _DEFAULT else f"{self.kind}:{self.glob}"

    def matches(self, entry: Entry) -> bool:
        """Whether it means this entry."""
        matches = _in_file if self.kind == "file" else fnmatchcase
        return any(matches(text, self.glob) for text in KINDS[self.kind](entry))


@dataclass(frozen=True)
class Selection:
    """Which entries are meant: those of any pattern of `select` (all where there is none) and of none of `ignore`.

    Attributes:
        select, ignore: patterns, as their user wrote them.
        eager: whether JAX's own operations between jitted calls are meant at all.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    eager: bool = True

    def takes(self, entry: Entry) -> bool:
        """Whether this entry is meant. Raises PatternError."""
        if entry.eager and not self.eager:
            return False
        chosen = not self.select or _any(self.select, entry)
        return chosen and not _any(self.ignore, entry)

    def idle(self, entries: Sequence[Entry]) -> Iterator[str]:
        """A line for each pattern of `select` that means none of these entries, with what comes near it."""
        for pattern in map(Pattern.parse, self.select):
            if not any(pattern.matches(entry) for entry in entries):
                known = dict.fromkeys(text for entry in entries for text in KINDS[pattern.kind](entry))
                near = difflib.get_close_matches(pattern.glob, known)
                hint = did_you_mean([str(Pattern(pattern.kind, text)) for text in near])
                yield f"--select {pattern} means none of the {len(entries)} entries{hint}"


ALL = Selection()


def _any(patterns: Iterable[str], entry: Entry) -> bool:
    return any(Pattern.parse(text).matches(entry) for text in patterns)


def did_you_mean(near: Sequence[str]) -> str:
    """The end of a message about a word that is not known; "" when none that is known comes near it."""
    return f"; did you mean {' or '.join(repr(word) for word in near)}?" if near else ""


def _files(entry: Entry) -> Iterable[str]:
    """Its source, or the user's line that called it when that lies in a library."""
    file = entry.place.rpartition(":")[0]
    return [file] if file else []


def _in_file(file: str, glob: str) -> bool:
    """Whether a file's path ends like the glob, or lies in a directory whose path does (``models/``)."""
    path = PurePath(os.path.abspath(file) if os.path.isabs(glob) else file)
    return any(path.match(glob) for path in path.parents) if glob.endswith("/") else path.match(glob)


_DEFAULT = "function"
#: What a pattern may be held against.
KINDS: Mapping[str, Callable[[Entry], Iterable[str]]] = {
    _DEFAULT: lambda entry: [entry.name],
    "file": _files,
    "primitive": lambda entry: entry.primitives,
}
