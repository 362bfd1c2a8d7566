"""A sample of mutations by seed, spread over the modules.

A line is drawn, then one of its changes: a line with many operators counts no more than one with few. Each module gives
as many lines as its share is, and which ones is decided by their text: the same seed draws the same lines again while
they stay, wherever they move.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch

from mutants.mechanical import scope
from mutants.mechanical.edits import Mutation


def drawn(count: int, seed: int, pattern: str = "*", files: Sequence[str] | None = None) -> list[Mutation]:
    """So many mutations of the files that match a pattern, or all there are."""
    chosen = [f for f in (files or scope.files()) if fnmatch(f, pattern) or fnmatch(f"jace/{f}", pattern)]
    lines = {file: _lines(file) for file in chosen}
    quotas = shares({file: len(found) for file, found in lines.items()}, count)
    found = []
    for file, quota in quotas.items():
        ranked = sorted(lines[file], key=lambda line: _rank(seed, file, *line))
        usable = (
            m
            for text, nth in ranked
            if (m := _one(seed, file, text, nth, lines[file][text, nth])) is not None
        )
        found += itertools.islice(usable, quota)
    return found


def _lines(file: str) -> dict[tuple[str, int], list[Mutation]]:
    """The mutations of each line, by its text and how many lines with this text are above."""
    seen: Counter[str] = Counter()
    found: dict[int, list[Mutation]] = {}
    for m in scope.mutations(file):
        found.setdefault(m.line, []).append(m)
    named = {}
    for number in sorted(found):
        text = found[number][0].text.split("\n")[number - 1].strip()
        named[text, seen[text]] = found[number]
        seen[text] += 1
    return named


def _one(seed: int, file: str, text: str, nth: int, choices: Sequence[Mutation]) -> Mutation | None:
    """The mutation of a line that the seed chooses, if any is a program."""
    ranked = sorted(choices, key=lambda m: _rank(seed, file, text, nth, m.before, m.after))
    return next((m for m in ranked if is_another_program(m)), None)


def is_another_program(mutation: Mutation) -> bool:
    """Whether the text parses, and as something else than before. C++ is the compiler's business."""
    if not mutation.file.endswith(".py"):
        return True
    try:
        return ast.dump(ast.parse(mutation.mutated)) != ast.dump(ast.parse(mutation.text))
    except SyntaxError:
        return False


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """`count` split by size, the largest remainders rounded up; no share exceeds its size."""
    total = sum(sizes.values())
    count = min(count, total)
    exact = {name: count * size / total for name, size in sizes.items()} if total else {}
    given = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (given[name] - exact[name], name))
    for name in by_remainder[: count - sum(given.values())]:
        given[name] += 1
    return given


def _rank(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
