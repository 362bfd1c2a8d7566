"""Questions to the oracle: begun in one place, answered later, and never asked twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from jace_repro.reducer.problem import Problem

#: Waits for the answer: True means that the candidate shows the failure.
Answer: TypeAlias = Callable[[], bool]
#: Begins the test of a candidate.
Ask: TypeAlias = Callable[[Problem], Answer]


def at_once(oracle: Callable[[Problem], bool]) -> Ask:
    """An `Ask` of an oracle that answers in this thread, when its answer is wanted."""
    return lambda problem: lambda: oracle(problem)


@dataclass
class Tests:
    """The tests of candidates by one oracle, by fingerprint of program and arguments.

    Attributes:
        ask: begins a test.
        waited: how many tests somebody waited for; one that was begun in vain is none of them.
    """

    ask: Ask
    waited: int = 0
    _begun: dict[str, Answer] = field(default_factory=dict)
    _known: dict[str, bool] = field(default_factory=dict)

    def knows(self, problem: Problem) -> bool:
        """Whether the answer for `problem` is known already."""
        return problem.fingerprint in self._known

    def learn(self, problem: Problem, answer: bool) -> None:
        """Take the answer for `problem` from elsewhere."""
        self._known[problem.fingerprint] = answer

    def begin(self, problem: Problem) -> None:
        """Begin the test of `problem`, unless that was done."""
        if not self.knows(problem) and problem.fingerprint not in self._begun:
            self._begun[problem.fingerprint] = self.ask(problem)

    def answer(self, problem: Problem) -> bool:
        """The answer, once it is there; from memory when it was given before."""
        if not self.knows(problem):
            self.begin(problem)
            self.waited += 1
            self.learn(problem, self._begun.pop(problem.fingerprint)())
        return self._known[problem.fingerprint]
