"""Python loops of a traced function: steps that were taken several times over, and what flows between the rounds.

A trace has unrolled every Python loop. One shows itself by its source lines: the same calls at the same lines, in the
same order, three times or more. It can be written as a loop when each round takes its values from the same places: from
the round before it, from itself, or from outside.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jace_repro.emitter.tree.uses import Uses, count_steps, flattened
from jace_repro.trace.model import Applied, Bound, Custom, Helper, Jitted, Mapped, Step, values

#: Fewer rounds are no loop; longer rounds are not looked for.
_ROUNDS, _LONGEST = 3, 400

#: Where in a round a value is made: (step, number of the value in its result).
Place = tuple[int, int]

#: How many repeats are looked at, the largest first, and how many beginnings of each.
_TRIED, _SHIFTS = 200, 12


@dataclass(frozen=True)
class Repeat:
    """`rounds` runs of `period` steps, the first of which is number `start`."""

    start: int
    period: int
    rounds: int

    @property
    def size(self) -> int:
        """How many steps it has."""
        return self.period * self.rounds

    @property
    def end(self) -> int:
        """The number of the step after it."""
        return self.start + self.size


@dataclass
class Flow:
    """What flows through a loop.

    Attributes:
        made: for each round, the place of each value that it makes, by its id.
        carried: the places that the next round reads, each with the value that the first round has instead.
        outside: values from before the loop, whatever the first round has instead of carried ones aside.
        read: the step of a round that reads a carried value last, by its place.
    """

    made: list[dict[int, Place]]
    carried: dict[Place, int] = field(default_factory=dict)
    outside: set[int] = field(default_factory=set)
    read: dict[Place, int] = field(default_factory=dict)

    def value_at(self, place: Place, number: int) -> int:
        """The value that a round makes at a place."""
        return next(value for value, where in self.made[number].items() if where == place)


@dataclass(frozen=True)
class Rounds:
    """Steps of a function that may be the rounds of a loop.

    Attributes:
        steps: all steps of the function.
        repeat: which of them they are.
        flow: how values flow between them.
    """

    steps: Sequence[Step]
    repeat: Repeat
    flow: Flow

    @property
    def key(self) -> tuple[int, int, int]:
        """The same for the same rounds, wherever they are tried."""
        return id(self.own(0)[0]), self.repeat.period, self.repeat.rounds

    @property
    def count(self) -> int:
        """How many there are."""
        return self.repeat.rounds

    @functools.cached_property
    def size(self) -> int:
        """How many steps each has, those of mapped functions included."""
        return count_steps(self.own(0))

    def own(self, number: int) -> Sequence[Step]:
        """The steps of one round."""
        return round_of(self.steps, self.repeat, number)


def repeats(steps: Sequence[Step]) -> list[Repeat]:
    """Where the same calls were made over and over: what covers most first, then the shortest rounds."""
    codes: dict[Any, int] = {}
    signs = np.array([codes.setdefault(_sign(step), len(codes)) for step in steps])
    if len(codes) > len(steps) - _ROUNDS + 1:
        return []  # too few calls were made twice
    found = []
    for period in range(1, min(len(steps) // _ROUNDS, _LONGEST) + 1):
        for start, length in _runs(signs[:-period] == signs[period:]):
            rounds = length // period + 1
            if rounds < _ROUNDS or any(step.config for step in steps[start : start + rounds * period]):
                continue
            # where the round begins is not known when the run is longer than whole rounds
            for shift in range(min(length % period, _SHIFTS) + 1):
                found.append(Repeat(start + shift, period, rounds))
            if rounds > _ROUNDS:  # the first round is often another
                found.append(Repeat(start + period, period, rounds - 1))
    return sorted(found, key=lambda r: (-r.size, r.period, r.start))


def _runs(flags: Any) -> Iterator[Place]:
    """(start, length) of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield start, end - start


def _sign(step: Step) -> Any:
    """What two rounds of one loop have in common: which function was called, how, and where."""
    where = (id(step.path[-1][0]), step.path[-1][1]) if step.path else step.line
    return where, step.targets, len(step.args), tuple(step.kwargs), _called(step.operation)


def _called(operation: Any) -> Any:
    if isinstance(operation, Applied):
        return Applied, _called(operation.made.operation)
    if isinstance(operation, Jitted | Custom | Mapped | Helper):
        return type(operation), operation.function.source
    if isinstance(operation, Bound):
        return Bound, operation.primitive.name
    return type(operation), getattr(operation, "name", "")


def round_of(steps: Sequence[Step], repeat: Repeat, number: int) -> Sequence[Step]:
    """The steps of one round."""
    start = repeat.start + number * repeat.period
    return steps[start : start + repeat.period]


def loops(steps: Sequence[Step], uses: Uses) -> dict[int, list[Rounds]]:
    """By the number of their first step, the repeats whose rounds could be those of a loop, the largest first.

    A repeat that runs into a larger one which begins later is left out.
    """
    origin: dict[int, int] = {}
    for number, step in enumerate(steps):
        for value in values(step.result):
            origin.setdefault(value.id, number)
    found: list[Rounds] = []
    for repeat in repeats(steps)[:_TRIED]:
        flow = flow_of(steps, repeat, uses, origin)
        if flow is not None:
            found.append(Rounds(steps, repeat, flow))
    by_start: dict[int, list[Rounds]] = {}
    for rounds in found:
        own = rounds.repeat
        others = (other.repeat for other in found)
        if not any(other.size > own.size and own.start < other.start < own.end for other in others):
            by_start.setdefault(own.start, []).append(rounds)
    return by_start


def flow_of(steps: Sequence[Step], repeat: Repeat, uses: Uses, origin: Mapping[int, int]) -> Flow | None:
    """How values flow between the rounds; None when they do not flow in the same way in each.

    `origin`: the number of the first step that has a value in its result.
    """
    rounds = [round_of(steps, repeat, k) for k in range(repeat.rounds)]
    if len({count_steps(own) for own in rounds}) > 1:
        return None
    starts = [repeat.start + k * repeat.period for k in range(repeat.rounds)]
    found = Flow([_made(own, start, origin) for own, start in zip(rounds, starts, strict=True)])
    if len({tuple(made.values()) for made in found.made}) > 1:
        return None
    patterns = [_reads(own, found.made, k, uses) for k, own in enumerate(rounds)]
    if any(pattern is None or len(pattern) != len(patterns[0] or ()) for pattern in patterns):
        return None
    for first, *others in zip(*(p for p in patterns if p is not None), strict=True):
        kinds = {(kind, place) for kind, place, _ in others}
        if len(kinds) > 1:
            return None
        ((kind, place),) = kinds
        if kind == "carried":
            if first[0] != "outside" or found.carried.setdefault(place, first[2]) != first[2]:
                return None
        elif first[:2] != (kind, place):
            return None
        elif kind == "outside":
            found.outside |= {value for _, _, value in (first, *others)}
    for number, step in enumerate(flattened(rounds[1])):
        found.read |= {found.made[0][value]: number for value in uses.of_step(step) if value in found.made[0]}
    return found


def _made(own: Sequence[Step], start: int, origin: Mapping[int, int]) -> dict[int, Place]:
    """Where in a round each of its values is made."""
    made: dict[int, Place] = {}
    for number, step in enumerate(own):
        for place, value in enumerate(values(step.result)):
            if origin[value.id] == start + number:
                made.setdefault(value.id, (number, place))
    return made


def _reads(
    own: Sequence[Step], made: Sequence[Mapping[int, Place]], k: int, uses: Uses
) -> list[tuple[str, Any, int]] | None:
    """(kind, place, value) of everything that round `k` reads, in order.

    None when it reads what an earlier round made than the one before it.
    """
    found: list[tuple[str, Any, int]] = []
    earlier = set().union(*made[: max(k - 1, 0)]) if k > 1 else set()
    for value in (value for step in flattened(own) for value in uses.of_step(step)):
        before = k > 0 and value in made[k - 1]
        if before:
            found.append(("carried", made[k - 1][value], value))
        elif value in earlier:
            return None
        elif value in made[k]:
            found.append(("own", made[k][value], value))
        else:
            found.append(("outside", None, value))
    return found
