"""The greedy driver: runs the passes over the current best problem until none of them improves it.

A pass is a generator. It yields candidates and is sent back whether each was taken; it then goes on from the
candidate that was taken, so that a pass keeps its position after a success.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from jace_repro.reducer.cache import VerdictCache
from jace_repro.reducer.problem import Key, Problem, is_trivial, well_typed
from jace_repro.reducer.termination import ends, iteration_limit

Candidates = Generator[Problem, bool, None]
Stopped = Literal["fixpoint", "budget", "interrupt"]


def equations_left(problem: Problem) -> Hashable:
    """The trigger of most passes: they are run again when the number of equations is another one."""
    return problem.key.equations


@dataclass(frozen=True)
class Pass:
    """A named reduction pass.

    Attributes:
        name: for progress lines and reports.
        run: the pass itself.
        trigger: the pass is run again only when this differs from what it was when the pass last ended:
            shrinking values gives no reason to try all shapes again.
    """

    name: str
    run: Callable[[Problem], Candidates]
    trigger: Callable[[Problem], Hashable] = equations_left


@dataclass(frozen=True)
class Progress:
    """A line of progress: after each oracle call."""

    pass_name: str
    note: str
    taken: bool
    calls: int
    key: Key
    seconds: float


@dataclass(frozen=True)
class Improvement:
    """The best problem after so many oracle calls, and the pass that made it; "" for the one to begin with."""

    test: int
    equations: int
    elements: int
    pass_name: str = ""


@dataclass(frozen=True)
class Minimized:
    """The smallest problem found, why the search for it ended, and the ever smaller ones on the way there."""

    problem: Problem
    calls: int
    seconds: float
    stopped: Stopped
    steps: tuple[Improvement, ...] = ()


class _BudgetSpentError(Exception):
    """Raised between candidates when no oracle call is left."""


def minimize(
    problem: Problem,
    oracle: Callable[[Problem], bool],
    passes: Sequence[Pass],
    *,
    max_calls: int,
    on_progress: Callable[[Progress], None] | None = None,
    on_better: Callable[[Problem], None] | None = None,
    calls_used: Callable[[], int] = lambda: 0,
) -> Minimized:
    """Shrink `problem` while `oracle` says that it still fails.

    Args:
        problem: must fail; it is not asked again.
        oracle: True when a candidate shows the same failure.
        passes: in the order they are tried.
        max_calls: oracle calls to spend at most.
        on_progress: called after every oracle call.
        on_better: called with every new best problem (to keep it on disk).
        calls_used: calls spent elsewhere (by a localizer) that count too.
    """
    start = time.monotonic()
    cache = VerdictCache(oracle)
    cache.known[problem.fingerprint] = True
    best = problem
    steps = [Improvement(0, problem.key.equations, problem.key.elements)]
    limit = iteration_limit(problem)

    def consider(candidate: Problem, name: str) -> bool:
        nonlocal best
        if candidate.key >= best.key or is_trivial(candidate):
            return False
        if not cache.knows(candidate):
            if not well_typed(candidate) or not ends(candidate, limit):
                return False
            if cache.calls + calls_used() >= max_calls:
                raise _BudgetSpentError
        before = cache.calls
        taken = cache.ask(candidate)
        if taken:
            best = candidate
            key = candidate.key
            steps.append(Improvement(cache.calls + calls_used(), key.equations, key.elements, name))
            if on_better is not None:
                on_better(candidate)
        if on_progress is not None and cache.calls > before:
            calls = cache.calls + calls_used()
            on_progress(Progress(name, candidate.note, taken, calls, best.key, time.monotonic() - start))
        return taken

    stopped: Stopped = "fixpoint"
    try:
        _to_fixpoint(passes, lambda: best, consider)
    except _BudgetSpentError:
        stopped = "budget"
    except KeyboardInterrupt:  # the user has waited enough: the best so far is worth having
        stopped = "interrupt"
    return Minimized(best, cache.calls + calls_used(), time.monotonic() - start, stopped, tuple(steps))


def _to_fixpoint(
    passes: Sequence[Pass], current: Callable[[], Problem], consider: Callable[[Problem, str], bool]
) -> None:
    """Run the passes in order; from the first again once one of them got rid of equations.

    So the program is as short as it gets before a call is spent on shapes or values.
    """
    seen: dict[str, Hashable] = {}
    position = 0
    while position < len(passes):
        one = passes[position]
        position += 1
        before = current().key
        if one.name in seen and seen[one.name] == one.trigger(current()):
            continue
        _run(one, current(), consider)
        after = current().key
        seen[one.name] = one.trigger(current())
        if after.equations < before.equations or (position == len(passes) and after < before):
            position = 0


def _run(one: Pass, problem: Problem, consider: Callable[[Problem, str], bool]) -> None:
    candidates = one.run(problem)
    try:
        candidate = next(candidates)
        while True:
            candidate = candidates.send(consider(candidate, one.name))
    except StopIteration:
        return
