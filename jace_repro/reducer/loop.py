"""The greedy driver: runs the passes over the current best problem until none of them improves it.

A pass is a generator. It yields candidates and is sent back whether each was taken; it then goes on from the
candidate that was taken, so that a pass keeps its position after a success.

There may be two oracles: one that is sure, and a quick one that takes another failure for the same now and then. Then
the quick one answers while a pass runs, and the sure one is asked of what the pass ends with. Where it says no, all
that the pass took is given back, and it runs once more with sure answers.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from jace_repro.reducer.ahead import Ahead, Candidates
from jace_repro.reducer.asking import Ask, Tests
from jace_repro.reducer.problem import Key, Problem, is_trivial, well_typed
from jace_repro.reducer.termination import ends, iteration_limit

Stopped = Literal["fixpoint", "budget", "interrupt"]

#: The sure oracle is asked within a pass, too, when so much of the equations is left of the last one it was asked of:
#: what was taken in error is not followed far.
_MUCH_SMALLER = 0.5


def equations_left(problem: Problem) -> Hashable:
    """The trigger of most passes: they are run again when the number of equations is another one."""
    return problem.key.equations


@dataclass(frozen=True)
class Pass:
    """A named reduction pass.

    Attributes:
        name: for progress lines and reports.
        run: the pass itself; what it yields depends on the problem and the answers alone.
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


class _SlippedError(Exception):
    """What the quick oracle took shows another failure."""


def minimize(
    problem: Problem,
    ask: Ask,
    passes: Sequence[Pass],
    *,
    max_calls: int,
    quick: Ask | None = None,
    width: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    on_better: Callable[[Problem], None] | None = None,
    calls_used: Callable[[], int] = lambda: 0,
) -> Minimized:
    """Shrink `problem` while the oracle says that it still fails.

    Args:
        problem: must fail; it is not asked again.
        ask: begins the test of a candidate; the answer is True when it shows the same failure.
        passes: in the order they are tried.
        max_calls: oracle calls to spend at most.
        quick: begins a test that costs less, and is wrong now and then when it says True.
        width: candidates that are tested at a time. The result does not depend on it.
        on_progress: called after every oracle call.
        on_better: called with every new best problem that `ask` is sure of (to keep it on disk).
        calls_used: calls spent elsewhere (by a localizer) that count too.
    """
    search = _Search(problem, ask, quick, max_calls, width, on_progress, on_better, calls_used)
    stopped: Stopped = "fixpoint"
    try:
        _to_fixpoint(passes, search)
    except _BudgetSpentError:
        stopped = "budget"
        search.settle()
    except KeyboardInterrupt:  # the user has waited enough: the best so far is worth having
        stopped = "interrupt"
    return search.result(stopped)


class _Search:
    """The state of a search; arguments as of `minimize`.

    Attributes:
        best: the smallest problem that fails as far as is known.
        sure: the smallest one that the sure oracle was asked of.
    """

    def __init__(
        self,
        problem: Problem,
        ask: Ask,
        quick: Ask | None,
        max_calls: int,
        width: int,
        on_progress: Callable[[Progress], None] | None,
        on_better: Callable[[Problem], None] | None,
        calls_used: Callable[[], int],
    ) -> None:
        self.best = self.sure = problem
        self._surely = Tests(ask)
        self._quickly = Tests(quick) if quick is not None else self._surely
        self._surely.learn(problem, True)
        self._quickly.learn(problem, True)
        self._max_calls, self._width = max_calls, width
        self._on_progress, self._on_better, self._calls_used = on_progress, on_better, calls_used
        self._limit = iteration_limit(problem)
        self._start = time.monotonic()
        self._steps = [Improvement(0, problem.key.equations, problem.key.elements)]
        self._sure_steps = 1

    @property
    def calls(self) -> int:
        """Oracle calls so far, those spent elsewhere included."""
        tests = {id(self._surely): self._surely, id(self._quickly): self._quickly}.values()
        return sum(one.waited for one in tests) + self._calls_used()

    def result(self, stopped: Stopped) -> Minimized:
        """What the search has come to: what the sure oracle has seen of it."""
        seconds = time.monotonic() - self._start
        return Minimized(self.sure, self.calls, seconds, stopped, tuple(self._steps[: self._sure_steps]))

    def run(self, one: Pass) -> None:
        """Run a pass over the best problem."""
        try:
            self._through(one, self._quickly)
            self._confirm()
        except _SlippedError:
            self._give_back()
            self._through(one, self._surely)

    def settle(self) -> None:
        """The budget is spent: one more test says whether what was taken quickly is to be kept."""
        try:
            self._confirm()
        except _SlippedError:
            self._give_back()

    def _give_back(self) -> None:
        self.best = self.sure
        del self._steps[self._sure_steps :]

    def _confirm(self) -> None:
        """Ask the sure oracle of the best problem. Raises _SlippedError when it says no."""
        if self.best is self.sure:
            return
        if not self._surely.answer(self.best):
            self._quickly.learn(self.best, False)
            raise _SlippedError
        self.sure, self._sure_steps = self.best, len(self._steps)
        if self._on_better is not None:
            self._on_better(self.best)

    def _through(self, one: Pass, tests: Tests) -> None:
        """Run a pass to its end; while one candidate is tested, the next ones are."""
        candidates = Ahead(lambda problem=self.best: one.run(problem))  # type: ignore[misc]
        drawn: deque[tuple[Problem, bool]] = deque()
        while True:
            while sum(tested for _, tested in drawn) < self._width:
                if (candidate := candidates.next()) is None:
                    break
                drawn.append((candidate, self._begin(candidate, tests)))
            if not drawn:
                return
            candidate, tested = drawn.popleft()
            taken = tested and self._answer(one, candidate, tests)
            if taken:
                drawn.clear()
            candidates.answer(taken)

    def _begin(self, candidate: Problem, tests: Tests) -> bool:
        """Whether the candidate is worth a test, which has begun then."""
        if candidate.key >= self.best.key or is_trivial(candidate):
            return False
        if not tests.knows(candidate):
            if not well_typed(candidate) or not ends(candidate, self._limit):
                return False
            if self.calls < self._max_calls:
                tests.begin(candidate)
        return True

    def _answer(self, one: Pass, candidate: Problem, tests: Tests) -> bool:
        """Whether the candidate is the new best problem."""
        asked = not tests.knows(candidate)
        if asked and self.calls >= self._max_calls:
            raise _BudgetSpentError
        taken = tests.answer(candidate)
        if taken:
            self.best = candidate
            key = candidate.key
            self._steps.append(Improvement(self.calls, key.equations, key.elements, one.name))
            if tests is self._surely or key.equations <= _MUCH_SMALLER * self.sure.key.equations:
                self._confirm()
        if self._on_progress is not None and asked:
            seconds = time.monotonic() - self._start
            self._on_progress(Progress(one.name, candidate.note, taken, self.calls, self.best.key, seconds))
        return taken


def _to_fixpoint(passes: Sequence[Pass], search: _Search) -> None:
    """Run the passes in order; from the first again once one of them got rid of equations.

    So the program is as short as it gets before a call is spent on shapes or values.
    """
    seen: dict[str, Hashable] = {}
    position = 0
    while position < len(passes):
        one = passes[position]
        position += 1
        before = search.best.key
        if one.name in seen and seen[one.name] == one.trigger(search.best):
            continue
        search.run(one)
        after = search.best.key
        seen[one.name] = one.trigger(search.best)
        if after.equations < before.equations or (position == len(passes) and after < before):
            position = 0
