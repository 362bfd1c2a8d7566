"""Questions to the oracle: begun in one place, answered later, and never asked twice."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias

from jace_repro.reducer.candidate import C


class Answer(Protocol):
    """What a test that was begun is going to answer: True means that the candidate shows the failure."""

    def result(self) -> bool:
        """Waits for the answer."""

    def done(self) -> bool:
        """Whether it is there."""


#: Begins the test of a candidate.
Ask: TypeAlias = Callable[[C], Answer]


@dataclass(frozen=True)
class _AtOnce(Generic[C]):
    oracle: Callable[[C], bool]
    problem: C

    def result(self) -> bool:
        return self.oracle(self.problem)

    def done(self) -> bool:
        return False


def at_once(oracle: Callable[[C], bool]) -> Ask[C]:
    """An `Ask` of an oracle that answers in this thread, when its answer is wanted."""
    return lambda problem: _AtOnce(oracle, problem)


def no(_: object) -> Answer:
    """An `Ask` that says no without a test."""
    answer: Future[bool] = Future()
    answer.set_result(False)
    return answer


def wait_for_one(answers: list[Answer]) -> bool:
    """Wait until one of them is there. False where that cannot be waited for: they come when they are asked for."""
    running = [answer for answer in answers if isinstance(answer, Future)]
    wait(running, return_when=FIRST_COMPLETED)
    return bool(running)


@dataclass
class Tests(Generic[C]):
    """The tests of candidates by one oracle, by fingerprint of program and arguments.

    Attributes:
        ask: begins a test.
        waited: how many tests somebody waited for; one that was begun in vain is none of them.
    """

    ask: Ask[C]
    waited: int = 0
    _begun: dict[str, Answer] = field(default_factory=dict)
    _known: dict[str, bool] = field(default_factory=dict)

    def knows(self, problem: C) -> bool:
        """Whether the answer for `problem` is known already."""
        return problem.fingerprint in self._known

    def learn(self, problem: C, answer: bool) -> None:
        """Take the answer for `problem` from elsewhere."""
        self._known[problem.fingerprint] = answer

    def begin(self, problem: C) -> None:
        """Begin the test of `problem`, unless that was done."""
        if not self.knows(problem) and problem.fingerprint not in self._begun:
            self._begun[problem.fingerprint] = self.ask(problem)

    def running(self, problem: C) -> Answer | None:
        """The answer that is still to come, if the test of `problem` has begun."""
        answer = self._begun.get(problem.fingerprint)
        return None if answer is None or answer.done() else answer

    def answer(self, problem: C) -> bool:
        """The answer, once it is there; from memory when it was given before."""
        if not self.knows(problem):
            self.begin(problem)
            self.waited += 1
            self.learn(problem, self._begun.pop(problem.fingerprint).result())
        return self._known[problem.fingerprint]


@contextlib.contextmanager
def unawaited_threads(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads; on exit nobody waits for tests that were begun in vain."""
    threads = ThreadPoolExecutor(max_workers=jobs)
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
