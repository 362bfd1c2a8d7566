"""The first bad position of a sequence that goes from right to wrong, in few probes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

#: probe(position): True when the result is wrong there, False when right, None when it cannot be told.
Probe = Callable[[int], bool | None]


@dataclass(frozen=True)
class Turn:
    """Where right becomes wrong.

    Attributes:
        good: the last position known to be right; -1 when none is.
        bad: the first position known to be wrong.
        probes: how many probes it took.
        rechecks: how many more to look for exceptions.
        right_again: positions after `bad` that are right.
    """

    good: int
    bad: int
    probes: int
    rechecks: int = 0
    right_again: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether nothing between the two positions is untold."""
        return self.bad - self.good == 1


def first_bad(last: int, probe: Probe, *, good: int = -1, rechecks: int = 0) -> Turn:
    """Search positions good+1 .. last, of which `last` is wrong; `good` is right (-1: nothing is known to be).

    Takes ceil(log2(last - good)) probes when all of them can be told. Then up to `rechecks` probes look into the
    largest gaps: before the turn for an earlier one (which is then searched), after it for results that are right
    again.
    """
    known: dict[int, bool | None] = {good: False, last: True}

    def ask(position: int) -> bool | None:
        known[position] = probe(position)
        return known[position]

    low, high = _narrow(good, last, known, ask)
    probes, again, used = len(known) - 2, 0, 0
    for used in range(1, rechecks + 1):
        position = _widest_gap(known, low, high, last)
        if position is None:
            used -= 1
            break
        found = ask(position)
        if position < low and found:  # an earlier turn: search that
            before = len(known)
            low, high = _narrow(
                max(p for p in known if p < position and known[p] is False), position, known, ask
            )
            again += len(known) - before
    right = tuple(sorted(p for p, bad in known.items() if bad is False and p > high))
    return Turn(low, high, probes + again, used, right)


def _narrow(low: int, high: int, known: dict[int, bool | None], ask: Probe) -> tuple[int, int]:
    """The closest pair of a right and a wrong position between a right and a wrong one."""
    while True:
        inside = [p for p in range(low + 1, high) if p not in known]
        if not inside:
            return low, high
        middle = (low + high) // 2
        position = min(inside, key=lambda p: (abs(p - middle), p))
        found = ask(position)
        if found is True:
            high = position
        elif found is False:
            low = position


def _widest_gap(known: dict[int, bool | None], low: int, high: int, last: int) -> int | None:
    """The middle of the widest stretch of unknown positions outside of the turn."""
    told = sorted(known)
    pairs = [(a, b) for a, b in itertools.pairwise(told) if b - a > 1 and (b <= low or a >= high)]
    return max(((b - a, (a + b) // 2) for a, b in pairs), default=(0, None))[1]
