"""The table that passes on scripts enter themselves in, as those on jaxprs do in theirs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from jace_repro.reducer.registry import Passes
from jace_repro.reducer.source.code import Edit
from jace_repro.reducer.source.program import Edits, Program
from jace_repro.reducer.source.tidy import tidied

_PASSES: Passes[Program] = Passes()

source_pass = _PASSES.entering
registered = _PASSES.in_order


def changed(program: Program, edits: Iterable[Edit], note: str) -> Program | None:
    """The program after edits, without what nothing refers to any more. None where that is no Python."""
    try:
        return program.edited(tidied(program.code.edited(edits)), note)
    except SyntaxError:
        return None


class Proposal(NamedTuple):
    """Edits that may make a program smaller, and what is to be done besides: None where that cannot be done."""

    edits: Sequence[Edit]
    note: str
    then: Callable[[Program], Program | None] = lambda program: program


def one_by_one(program: Program, proposals: Callable[[Program], Iterator[Proposal]]) -> Edits:
    """Each of the proposals; once one is taken, those for the program that it is, without those that were tried."""
    tried: set[tuple[tuple[str, ...], ...]] = set()
    taken = True
    while taken:
        taken = False
        for edits, note, then in proposals(program):
            edit = _difference(program.code.lines, program.code.edited(edits).split("\n"))
            if edit in tried:
                continue
            tried.add(edit)
            candidate = changed(program, edits, note)
            candidate = None if candidate is None else then(candidate)
            if candidate is not None and (yield candidate):
                program, taken = candidate, True
                break


def _difference(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The lines that an edit takes and those that it puts there."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    first = sum(1 for _ in same)
    rest = before[first:], after[first:]
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*map(reversed, rest), strict=False))
    last = sum(1 for _ in same)
    return tuple(tuple(lines[: len(lines) - last]) for lines in rest)


def shortened(text: str) -> str:
    """A piece of a program, for a line of progress."""
    return text if len(text) <= 30 else f"{text[:27]}..."
