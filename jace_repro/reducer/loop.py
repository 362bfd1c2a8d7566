"""The greedy driver: runs the passes over the current best problem until none of them improves it.

A pass runs again where its trigger says that this may pay. When no trigger does, every pass that has not gone through
the problem that is left, from its first step to its last, does so: the result is 1-minimal, no single step of any pass
makes it smaller, and how many steps were refused says so.

A pass is a generator. It yields candidates and is sent back whether each was taken; it then goes on from the
candidate that was taken, so that a pass keeps its position after a success.

There may be two oracles: one that is sure, and a quick one that takes another failure for the same now and then. Then
the quick one answers while a pass runs, and the sure one is asked of what the pass ends with. Where it says no, all
that the pass took is given back, and it runs once more with sure answers.

Tests run ahead of their turn, on the guess that what is asked now is refused, and that what a pass ends with is sure:
the candidates that come next, those of the passes that come next among them. A guess that was wrong costs the tests
that were begun on it; the search takes the steps that it takes with one test at a time.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple

from jace_repro.reducer.ahead import Ahead
from jace_repro.reducer.asking import Answer, Ask, Tests, wait_for_one
from jace_repro.reducer.candidate import C, Candidate, Steps

Stopped = Literal["fixpoint", "budget", "seconds", "interrupt"]

#: The sure oracle is asked within a pass, too, when so much of the length is left of the last one it was asked of:
#: what was taken in error is not followed far.
_MUCH_SMALLER = 0.5

#: So many questions for each test at a time lie ahead at most: guesses on guesses are rarely right.
_FAR = 8


def length_left(candidate: Candidate) -> Hashable:
    """The trigger of most passes: they are run again when the length is another one."""
    return candidate.length


def sizes_left(candidate: Candidate) -> Hashable:
    """The trigger of passes that small arrays let go further."""
    return candidate.length, candidate.elements


@dataclass(frozen=True)
class Pass(Generic[C]):
    """A named reduction pass.

    Attributes:
        name: for progress lines and reports.
        run: the pass itself; what it yields depends on the problem and the answers alone.
        trigger: the pass is run again only when this differs from what it was when the pass last ended:
            shrinking values gives no reason to try all shapes again, before all else has ended.
        ahead: whether it may begin on a problem that is the best by a guess: not where drawing costs oracle calls.
            Such a pass has no part in the last look at what is left, either.
    """

    name: str
    run: Callable[[C], Steps[C]]
    trigger: Callable[[C], Hashable] = length_left
    ahead: Callable[[C], bool] = lambda _: True


@dataclass(frozen=True)
class Progress:
    """A line of progress: after each oracle call."""

    pass_name: str
    note: str
    taken: bool
    calls: int
    equations: int
    elements: int
    seconds: float


@dataclass(frozen=True)
class Improvement:
    """The best problem after so many oracle calls, and the pass that made it; "" for the one to begin with."""

    test: int
    equations: int
    elements: int
    pass_name: str = ""


@dataclass(frozen=True)
class Minimized(Generic[C]):
    """The smallest problem found, why the search for it ended, and the ever smaller ones on the way there.

    Attributes:
        refused: how many smaller problems were asked about, each a single step of a pass from this one; None where the
            search ended before all were.
    """

    problem: C
    calls: int
    seconds: float
    stopped: Stopped
    steps: tuple[Improvement, ...] = ()
    refused: int | None = None


class _Ended(NamedTuple, Generic[C]):
    """How a pass last ended: what its trigger was, and the problem that no step of it makes smaller, if it saw all."""

    trigger: Hashable
    smallest: C | None


class _Turn(NamedTuple, Generic[C]):
    """Whose turn it is: a place among the passes, and how each pass last ended."""

    position: int
    ended: dict[str, _Ended[C]]


def _may_pay(one: Pass[C], ended: _Ended[C] | None, problem: C) -> bool:
    return ended is None or ended.trigger != one.trigger(problem)


def _not_seen_all(one: Pass[C], ended: _Ended[C] | None, problem: C) -> bool:
    return one.ahead(problem) and (ended is None or ended.smallest is not problem)


def _next_turn(
    passes: Sequence[Pass[C]],
    turn: _Turn[C],
    problem: C,
    reason: Callable[[Pass[C], _Ended[C] | None, C], bool] = _may_pay,
) -> _Turn[C] | None:
    """The first turn from this one on whose pass has a reason to run on `problem`; None when there is none."""
    for position in range(turn.position, len(passes)):
        one = passes[position]
        if reason(one, turn.ended.get(one.name), problem):
            return _Turn(position, turn.ended)
    return None


def _turn_after(passes: Sequence[Pass[C]], turn: _Turn[C], before: C, problem: C) -> _Turn[C] | None:
    """The turn after one that has led from one problem to another, or to the same.

    It is the first pass's again once the length is less: so the program is as short as it gets before a call is spent
    on shapes or values. After the last one it is the first's that has a reason to run again.
    """
    one = passes[turn.position]
    ended = {**turn.ended, one.name: _Ended(one.trigger(problem), problem if before is problem else None)}
    position = 0 if problem.length < before.length else turn.position + 1
    first = _Turn(0, ended)
    return (
        _next_turn(passes, _Turn(position, ended), problem)
        or _next_turn(passes, first, problem)
        or _next_turn(passes, first, problem, _not_seen_all)
    )


class _Run(Generic[C]):
    """One run of a pass; tests are the oracle's that answers within it."""

    def __init__(self, passes: Sequence[Pass[C]], turn: _Turn[C], problem: C, tests: Tests[C]) -> None:
        self.turn, self.tests, self.before = turn, tests, problem
        self.name = passes[turn.position].name
        self.candidates = Ahead(lambda: passes[turn.position].run(problem))


class _Question(NamedTuple, Generic[C]):
    """What is asked next: of a candidate of a run, or (None) whether what the run ends with is sure."""

    run: _Run[C]
    candidate: C | None
    tested: bool


class _SpentError(Exception):
    """Raised between candidates when no oracle call, or no time, is left.

    Attributes:
        what: there is none of.
    """

    def __init__(self, what: Literal["budget", "seconds"]) -> None:
        super().__init__(what)
        self.what = what


class _SlippedError(Exception):
    """What the quick oracle took shows another failure."""


def minimize(
    problem: C,
    ask: Ask[C],
    passes: Sequence[Pass[C]],
    *,
    max_calls: int,
    admissible: Callable[[C], bool],
    quick: Ask[C] | None = None,
    width: int = 1,
    until: float = math.inf,
    on_progress: Callable[[Progress], None] | None = None,
    on_better: Callable[[C], None] | None = None,
    calls_used: Callable[[], int] = lambda: 0,
) -> Minimized[C]:
    """Shrink `problem` while the oracle says that it still fails.

    Args:
        problem: must fail; it is not asked again.
        ask: begins the test of a candidate; the answer is True when it shows the same failure.
        passes: in the order they are tried.
        max_calls: oracle calls to spend at most.
        admissible: whether a candidate is worth a test at all; costs next to nothing.
        quick: begins a test that costs less, and is wrong now and then when it says True.
        width: candidates that are tested at a time. The result does not depend on it.
        until: no question is begun with once time.monotonic() is there.
        on_progress: called after every oracle call.
        on_better: called with every new best problem that `ask` is sure of (to keep it on disk).
        calls_used: calls spent elsewhere (by a localizer) that count too.
    """
    search = _Search(
        problem, passes, ask, quick, max_calls, admissible, width, until, on_progress, on_better, calls_used
    )
    stopped: Stopped = "fixpoint"
    try:
        search.to_fixpoint()
    except _SpentError as error:
        stopped = error.what
        search.settle()
    except KeyboardInterrupt:  # the user has waited enough: the best so far is worth having
        stopped = "interrupt"
    return search.result(stopped)


class _Search(Generic[C]):
    """The state of a search; arguments as of `minimize`.

    Attributes:
        best: the smallest problem that fails as far as is known.
        sure: the smallest one that the sure oracle was asked of.
    """

    def __init__(
        self,
        problem: C,
        passes: Sequence[Pass[C]],
        ask: Ask[C],
        quick: Ask[C] | None,
        max_calls: int,
        admissible: Callable[[C], bool],
        width: int,
        until: float,
        on_progress: Callable[[Progress], None] | None,
        on_better: Callable[[C], None] | None,
        calls_used: Callable[[], int],
    ) -> None:
        self.best = self.sure = problem
        self._surely = Tests(ask)
        self._quickly = Tests(quick) if quick is not None else self._surely
        self._surely.learn(problem, True)
        self._quickly.learn(problem, True)
        self._passes, self._max_calls, self._width, self._until = passes, max_calls, width, until
        self._on_progress, self._on_better, self._calls_used = on_progress, on_better, calls_used
        self._admissible = admissible
        self._start = time.monotonic()
        self._steps = [Improvement(0, problem.equations, problem.elements)]
        self._refused: set[str] = set()  # smaller than the best, by a step of a pass
        self._sure_steps = 1
        self._runs: deque[_Run[C]] = deque()  # the one that is answered, and those drawn from on a guess
        self._asked: deque[_Question[C]] = deque()  # the oldest first; the last run's candidates are the last

    @property
    def calls(self) -> int:
        """Oracle calls so far, those spent elsewhere included."""
        tests = {id(self._surely): self._surely, id(self._quickly): self._quickly}.values()
        return sum(one.waited for one in tests) + self._calls_used()

    def result(self, stopped: Stopped) -> Minimized[C]:
        """What the search has come to: what the sure oracle has seen of it."""
        seconds = time.monotonic() - self._start
        refused = len(self._refused) if stopped == "fixpoint" else None
        return Minimized(
            self.sure, self.calls, seconds, stopped, tuple(self._steps[: self._sure_steps]), refused
        )

    def to_fixpoint(self) -> None:
        """Run the passes in order, until none of them has a reason to run once more."""
        self._begin_run(_next_turn(self._passes, _Turn(0, {}), self.best), self._quickly)
        while self._draw():
            self._wait()
            question = self._asked.popleft()
            while self._runs[0] is not question.run:
                self._runs.popleft()
            try:
                if question.candidate is None:
                    self._confirm()
                else:
                    self._told(
                        question.run, question.tested and self._answer(question.run, question.candidate)
                    )
            except _SlippedError:
                self._give_back()
                self._asked.clear()
                self._runs.clear()
                self._begin_run(question.run.turn, self._surely)

    def _begin_run(self, turn: _Turn[C] | None, tests: Tests[C]) -> None:
        if turn is not None:
            self._runs.append(_Run(self._passes, turn, self.best, tests))

    def _wait(self) -> None:
        """Until the oldest question is answered, other tests begin as soon as there is room for them."""
        while (answer := self._running(self._asked[0])) is not None:
            if not wait_for_one([one for question in self._asked if (one := self._running(question))]):
                return
            if not answer.done():
                self._draw()

    def _running(self, question: _Question[C]) -> Answer | None:
        """The answer of its test while that runs."""
        if question.candidate is None:
            return self._surely.running(self.best)
        return question.run.tests.running(question.candidate) if question.tested else None

    def _may_draw(self) -> bool:
        running = sum(self._running(question) is not None for question in self._asked)
        return running < self._width and len(self._asked) < _FAR * self._width

    def _draw(self) -> bool:
        """Begin as many tests as may run at a time. False when there is nothing left to ask."""
        while self._runs and (not self._asked or self._may_draw()):
            run = self._runs[-1]
            if (candidate := run.candidates.next()) is not None:
                self._asked.append(_Question(run, candidate, self._begin(candidate, run.tests)))
                continue
            if self.best is not self.sure and all(question.candidate for question in self._asked):
                self._surely.begin(self.best)
                self._asked.append(_Question(run, None, True))
                continue
            turn = _turn_after(self._passes, run.turn, run.before, self.best)
            if turn is None or (self._asked and not self._passes[turn.position].ahead(self.best)):
                break
            self._begin_run(turn, self._quickly)
        return bool(self._asked)

    def _told(self, run: _Run[C], taken: bool) -> None:
        """The oldest question of a run is answered; what was drawn on another guess is forgotten."""
        if taken:
            self._asked.clear()
            while self._runs[-1] is not run:
                self._runs.pop()
        run.candidates.answer(taken)

    def settle(self) -> None:
        """The budget, or the time, is spent: one more test says whether what was taken quickly is to be kept."""
        try:
            self._confirm()
        except _SlippedError:
            self._give_back()

    def _give_back(self) -> None:
        self.best = self.sure
        self._refused.clear()
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

    def _begin(self, candidate: C, tests: Tests[C]) -> bool:
        """Whether the candidate is worth a test, which has begun then."""
        if candidate.key >= self.best.key:
            return False
        if not tests.knows(candidate):
            if not self._admissible(candidate):
                return False
            if self.calls < self._max_calls:
                tests.begin(candidate)
        return True

    def _answer(self, run: _Run[C], candidate: C) -> bool:
        """Whether the candidate is the new best problem."""
        tests = run.tests
        asked = not tests.knows(candidate)
        if asked and self.calls >= self._max_calls:
            raise _SpentError("budget")
        if asked and time.monotonic() >= self._until:
            raise _SpentError("seconds")
        taken = tests.answer(candidate)
        if not taken:
            self._refused.add(candidate.fingerprint)
        else:
            self.best = candidate
            self._refused.clear()
            self._steps.append(Improvement(self.calls, candidate.equations, candidate.elements, run.name))
            if tests is self._surely or candidate.length <= _MUCH_SMALLER * self.sure.length:
                self._confirm()
        if self._on_progress is not None and asked:
            seconds = time.monotonic() - self._start
            best = self.best
            self._on_progress(
                Progress(run.name, candidate.note, taken, self.calls, best.equations, best.elements, seconds)
            )
        return taken
