"""Verdicts already given: a candidate is never judged twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from jace_repro.reducer.problem import Problem


@dataclass
class VerdictCache:
    """Answers of the oracle by fingerprint of program and arguments.

    Attributes:
        oracle: judges a candidate; True means it still shows the failure.
        calls: how often the oracle was really asked.
        hits: how often an answer was already known.
    """

    oracle: Callable[[Problem], bool]
    calls: int = 0
    hits: int = 0
    known: dict[str, bool] = field(default_factory=dict)

    def ask(self, problem: Problem) -> bool:
        """The oracle's answer, from memory when it was asked before."""
        answer = self.known.get(problem.fingerprint)
        if answer is None:
            self.calls += 1
            answer = self.oracle(problem)
            self.known[problem.fingerprint] = answer
        else:
            self.hits += 1
        return answer

    def knows(self, problem: Problem) -> bool:
        """Whether the answer for `problem` is known already."""
        return problem.fingerprint in self.known
