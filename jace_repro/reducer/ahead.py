"""A pass that is drawn from before its candidates are answered, on the guess that none of them is taken.

Most candidates are refused, so most guesses are right, and the next test can begin while the last one runs. A guess
that was wrong cannot be taken back from a generator: the pass begins anew, and is told what it was told before. What
it yields depends on nothing but its problem and the answers; so the search takes the steps that it takes without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from jace_repro.reducer.candidate import C, Steps


class Ahead(Generic[C]):
    """The candidates of one run of a pass.

    Args:
        start: begins the pass.
    """

    def __init__(self, start: Callable[[], Steps[C]]) -> None:
        self._start = start
        self._candidates = start()
        self._answers: list[bool] = []
        self._sent = -1  # answers and guesses that the pass was told; -1: it has not begun
        self._ended = False

    def next(self) -> C | None:
        """The next candidate if those that were not answered are refused; None when there is none."""
        while not self._ended:
            try:
                return self._step()
            except StopIteration:
                self._ended = True
        return None

    def answer(self, taken: bool) -> None:
        """The answer for the oldest candidate that has none."""
        self._answers.append(taken)
        if taken and self._sent >= len(self._answers):
            self._candidates, self._sent, self._ended = self._start(), -1, False
            for _ in self._answers:
                self._step()

    def _step(self) -> C:
        told = self._sent
        self._sent += 1
        if told < 0:
            return next(self._candidates)
        return self._candidates.send(self._answers[told] if told < len(self._answers) else False)
