"""What several passes need: delta debugging as a generator, and programs restricted to some of their equations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from jace import ir
from jace_repro.reducer.candidate import C
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.problem import Candidates, Problem, make_problem

T = TypeVar("T")


def split(items: Sequence[T], parts: int) -> list[list[T]]:
    """`items` in `parts` runs of nearly equal length, none empty."""
    n = len(items)
    bounds = [n * i // parts for i in range(parts + 1)]
    return [list(items[a:b]) for a, b in itertools.pairwise(bounds) if b > a]


def delta_debug(items: Sequence[T], build: Callable[[Sequence[T]], C | None]) -> Generator[C, bool, list[T]]:
    """Delta debugging over `items`: which of them are needed?

    Halves (and the middle half, for two neighbours on either side of the cut) come first and are tried again
    after each success; only when no half will do are smaller and smaller runs taken out. A single guilty item
    among n is so found in about 1.5 log2(n) candidates.
    """
    kept, parts = list(items), 2
    while len(kept) >= 2:
        smaller: list[T] | None = None
        for subset in _subsets(kept, parts):
            candidate = build(subset)
            if candidate is not None and (yield candidate):
                smaller = subset
                break
        if smaller is not None:
            kept, parts = smaller, 2 if len(smaller) * 2 <= len(kept) else max(parts - 1, 2)
        elif parts >= len(kept):
            break
        else:
            parts = min(2 * parts, len(kept))
    return kept


def fewer(
    problem: Problem, items: Sequence[T], build: Callable[[Sequence[T]], Problem | None]
) -> Generator[Problem, bool, Problem]:
    """Delta debugging over what `problem` is made of; returns the problem that is left."""
    kept = yield from delta_debug(items, build)
    left = build(kept) if len(kept) < len(items) else None
    return problem if left is None else left


def last_first(
    problem: Problem,
    concerns: Callable[[ir.JaxprEqn], bool],
    edit: Callable[[Problem, int], Generator[Problem, bool, Problem]],
) -> Candidates:
    """Edit the equations that are concerned, by their position, the last first: what goes stands before them."""
    current = problem
    behind = 1
    while behind <= len(current.eqns):
        position = len(current.eqns) - behind
        if concerns(current.eqns[position]):
            current = yield from edit(current, position)
        behind += 1


def _subsets(kept: list[T], parts: int) -> list[list[T]]:
    n = len(kept)
    if parts == 2:
        halves = split(kept, 2)
        middle = kept[n // 4 : n // 4 + (n + 1) // 2]
        return [*reversed(halves), middle] if n > 3 else list(reversed(halves))
    chunks = split(kept, parts)
    return [[x for j, chunk in enumerate(chunks) if j != i for x in chunk] for i in range(len(chunks))]


def operand_values(problem: Problem, eqn: ir.JaxprEqn) -> list[Any] | None:
    """The operand values of a top-level equation, None when they have no value."""
    values = problem.values
    if any(isinstance(v, ir.Var) and v not in values for v in eqn.invars):
        return None
    return [v.val if isinstance(v, ir.Literal) else values[v] for v in eqn.invars]


def restrict(problem: Problem, kept: Sequence[int], note: str = "") -> Problem | None:
    """Only the equations `kept`: other results become inputs, with the values that plain JAX gives them.

    Outputs are those results of the kept equations that the rest of the program used. None when a value that
    is needed as an input is not to be had, because JAX fails before it.
    """
    chosen = set(kept)
    inside = [eqn for i, eqn in enumerate(problem.eqns) if i in chosen]
    made = {v for eqn in inside for v in eqn.outvars}
    used_outside = {
        v
        for i, eqn in enumerate(problem.eqns)
        if i not in chosen
        for v in eqn.invars
        if isinstance(v, ir.Var)
    }
    used_outside.update(v for v in problem.jaxpr.outvars if isinstance(v, ir.Var))
    outvars = [v for eqn in inside for v in eqn.outvars if v in used_outside]
    free = dict.fromkeys(v for eqn in inside for v in eqn.invars if isinstance(v, ir.Var) and v not in made)
    if not outvars or any(v not in problem.values for v in free):
        return None
    given = [v for v in free if v not in problem.consts]
    args = [problem.values[v] for v in given]
    return clean(make_problem(given, args, inside, outvars, note, problem.consts))
