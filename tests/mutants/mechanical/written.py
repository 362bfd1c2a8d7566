"""Bugs that somebody wrote, as mutations: best one who has read jace, and none of the programs that look for them."""

from __future__ import annotations

import itertools
import json
import operator
from pathlib import Path

from mutants.mechanical import cpp, python, scope
from mutants.mechanical.edits import Mutation


def mutation(file: str, old: str, new: str) -> Mutation:
    """The change of a file of jace, named from the package on, that puts `new` where `old` stands.

    Raises:
        ValueError: `old` does not stand there exactly once, or `new` is the same.
    """
    text = (scope.PACKAGE / file).read_text(encoding="utf-8")
    if (times := text.count(old)) != 1:
        raise ValueError(f"jace/{file} has this {times} times instead of once: {old}")
    if old == new:
        raise ValueError(f"jace/{file}: this changes nothing: {old}")
    before = _alike(old, new)
    behind = _alike(old[before:][::-1], new[before:][::-1])
    start = text.index(old)
    language = python if file.endswith(".py") else cpp
    edit = language.edit(text, start + before, start + len(old) - behind, new[before : len(new) - behind])
    return Mutation(file, text, edit)


def _alike(a: str, b: str) -> int:
    """With how many characters two texts begin alike."""
    return sum(itertools.takewhile(bool, map(operator.eq, a, b)))


def bugs(path: Path) -> list[Mutation]:
    """Of a JSON list of objects with "file" ("jace/rules/shape.py"), "old" and "new".

    Raises:
        ValueError: as `mutation` does.
    """
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [mutation(row["file"].removeprefix("jace/"), row["old"], row["new"]) for row in rows]
