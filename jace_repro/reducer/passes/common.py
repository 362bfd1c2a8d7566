"""What several passes need: delta debugging as a generator, and programs restricted to some of their equations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from jace import ir
from jace_repro.reducer.candidate import C
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.problem import Atom, Candidates, Problem, make_problem
from jace_repro.reducer.retrace import Sizes, retrace

T = TypeVar("T")

#: Of fewer items all runs are tried soon; of more than so many that are needed, few can go.
_BISECTED, _NEEDED = 16, 5
#: Of more, a test costs what it is long: runs are taken out first, which leaves less for the tests by bisection.
_LONG = 128


def split(items: Sequence[T], parts: int) -> list[list[T]]:
    """`items` in `parts` runs of nearly equal length, none empty."""
    n = len(items)
    bounds = [n * i // parts for i in range(parts + 1)]
    return [list(items[a:b]) for a, b in itertools.pairwise(bounds) if b > a]


def delta_debug(items: Sequence[T], build: Callable[[Sequence[T]], C | None]) -> Generator[C, bool, list[T]]:
    """Delta debugging over `items`: which of them are needed?

    Halves (and the middle half, for two neighbours on either side of the cut) as long as one will do, of many quarters,
    too; then, where few are needed that lie far from each other, each of these by bisection; then smaller and smaller
    runs are taken out, until no single item can go. One guilty item among n is so found in about 1.5 log2(n)
    candidates; three of 828 in about 50, where runs alone take 74.
    """
    kept = yield from _without_runs(list(items), build, most=4, least=_LONG)
    kept = yield from _without_runs(kept, build, most=2)
    kept = yield from _needed(kept, build)
    return (yield from _without_runs(kept, build, most=len(kept)))


def _without_runs(
    kept: list[T], build: Callable[[Sequence[T]], C | None], *, most: int, least: int = 2
) -> Generator[C, bool, list[T]]:
    """Halves, and all but one of smaller and smaller runs, `most` at most, until fewer than `least` items are left."""
    parts = 2
    while len(kept) >= least:
        smaller = yield from _first_of(_subsets(kept, parts), build)
        if smaller is not None:
            kept, parts = smaller, 2 if len(smaller) * 2 <= len(kept) else max(parts - 1, 2)
        elif parts >= min(most, len(kept)):
            break
        else:
            parts = min(2 * parts, len(kept))
    return kept


def _first_of(
    subsets: Sequence[list[T]], build: Callable[[Sequence[T]], C | None]
) -> Generator[C, bool, list[T] | None]:
    """The first of several subsets that will do."""
    for subset in subsets:
        candidate = build(subset)
        if candidate is not None and (yield candidate):
            return subset
    return None


def _needed(kept: list[T], build: Callable[[Sequence[T]], C | None]) -> Generator[C, bool, list[T]]:
    """The last item that is needed, by bisection, then the one before it, until those that are found will do.

    After as many as are few it ends: where most are needed, taking out runs costs less.
    """
    first, needed = kept, list[T]()  # which together will do
    while len(first) > _BISECTED and len(needed) < _NEEDED:
        without, within = -1, len(first)  # so many of the first are too few, and so many are enough
        while within - without > 1:
            count = (without + within) // 2
            smaller = yield from _first_of([first[:count] + needed], build)
            without, within = (without, count) if smaller is not None else (count, within)
        if within == 0:
            return needed
        first, needed = first[: within - 1], [first[within - 1], *needed]
    return first + needed


def fewer(
    problem: Problem, items: Sequence[T], build: Callable[[Sequence[T]], Problem | None]
) -> Generator[Problem, bool, Problem]:
    """Delta debugging over what `problem` is made of; returns the problem that is left."""
    kept = yield from delta_debug(items, build)
    left = build(kept) if len(kept) < len(items) else None
    return problem if left is None else left


def fewer_or_none(
    problem: Problem, items: Sequence[T], build: Callable[[Sequence[T]], Problem | None]
) -> Generator[Problem, bool, Problem]:
    """As `fewer`, where all of them may go: that is tried first."""
    if not items:
        return problem
    without = build([])
    if without is not None and (yield without):
        return without
    return (yield from fewer(problem, items, build))


def until_none_helps(problem: Problem, steps: Callable[[Problem], Iterator[Problem]]) -> Candidates:
    """The steps from a problem, until one is taken; then those from what it leads to."""
    current: Problem | None = problem
    while current is not None:
        for candidate in steps(current):
            if (yield candidate):
                current = candidate
                break
        else:
            current = None


def retraced(problem: Problem, args: Sequence[Any], sizes: Sizes, note: str) -> Problem | None:
    """The problem on other arguments (`retrace`), without what is computed in vain there; None when it does not fit."""
    made = retrace(problem, args, sizes, note)
    return None if made is None else clean(made)


def reading(instead: Mapping[ir.Var, Atom]) -> Callable[[Atom], Atom]:
    """What is read in the place of a variable, as far as another stands for it."""
    return lambda atom: instead.get(atom, atom) if isinstance(atom, ir.Var) else atom


def each_equation(closed: ir.ClosedJaxpr, edit: Callable[[ir.JaxprEqn], ir.JaxprEqn]) -> ir.ClosedJaxpr:
    """The program with each of its equations edited, at every depth, those of bodies before what has them."""

    def edited(eqn: ir.JaxprEqn) -> ir.JaxprEqn:
        return edit(eqn.replace(params=ir.map_bodies(eqn.params, lambda body: each_equation(body, edit))))

    jaxpr = closed.jaxpr
    return ir.ClosedJaxpr(jaxpr.replace(eqns=list(map(edited, jaxpr.eqns))), closed.consts)


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
