"""Guidance: what the next program of a campaign is made of, by what those before it have reached.

Of the ways to make a program (one operation, several, a pair of forms, a mutant) those are drawn more often that reach
more that is new by now, for their size, which is what a test costs. A program that reaches what none has before is a
seed: mutants are made of it, more of those that are small, reached most and were drawn least. Each operation is tried
once; then those that found something new most often. The choices depend on nothing but the campaign's seed and on what
was reached, in the order of the programs: they are the same each time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jace_repro.fuzz.mutants import MUTATED, PARTNERS, in_order
from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
from jace_repro.fuzz.programs import COMPOSED, RELATED, name_of
from jace_repro.fuzz.reach import KINDS
from jace_repro.fuzz.writing import Wanted, Written

#: Mutants are made when there are so many seeds, and of at most so many; the one of the least energy goes.
LEAST_SEEDS, MOST_SEEDS = 4, 1000
#: The ways to make a program.
_ALONE = "operation"
WAYS = (COMPOSED, _ALONE, RELATED, MUTATED)
#: What a way has gained before it was tried; how much of its mean gain it keeps with each program; and what each is
#: drawn for at least, beside the best of them.
_FIRST, _KEPT, _LEAST = 1.0, 0.95, 0.1
#: What a program costs, in equations, before it has any.
_COST = 10


@dataclass
class Seed:
    """A program that reached something first.

    Attributes:
        file: the name of its repro among the seeds.
        first: how much it reached that none had before.
        equations: its size.
        drawn: how many mutants were made of it.
    """

    file: str
    first: int
    equations: int
    drawn: int = 0

    @property
    def energy(self) -> float:
        """How likely it is drawn, beside the others."""
        return float((self.first / (1 + self.drawn)) ** 0.5 / (_COST + self.equations))


@dataclass
class Reached:
    """Who reached something: the number of the first program, and how many did."""

    first: int
    programs: int = 0


@dataclass
class Guide:
    """What has been reached so far, and by what.

    Attributes:
        seed: of the campaign.
        reached: by feature (`jace_repro.fuzz.reach`).
        seeds: the programs that mutants are made of.
        tried: operation -> how many programs were made of it, and how many of them reached something first.
        gains: way to make a program -> the mean of what its last ones gained.
        curve: (how many programs, how much of each of `reach.KINDS` they have reached), where that grows.
    """

    seed: int
    reached: dict[str, Reached] = field(default_factory=dict)
    seeds: list[Seed] = field(default_factory=list)
    tried: dict[str, list[int]] = field(default_factory=dict)
    gains: dict[str, float] = field(default_factory=lambda: dict.fromkeys(WAYS, _FIRST))
    curve: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def programs(self) -> int:
        """How many were made."""
        return sum(tried for tried, _ in self.tried.values())

    @property
    def counts(self) -> dict[str, int]:
        """How much was reached of each kind."""
        found = Counter(feature.partition(" ")[0] for feature in self.reached)
        return {kind: found[kind] for kind in KINDS}

    def next(self, number: int, folder: Path) -> Wanted:
        """The program of a number; `folder` has the seeds."""
        drawn = random.Random(f"{self.seed} guided {number}")
        way, which = self._draw_way(drawn), self.seed * 1_000_000 + number
        if way == MUTATED:
            chosen = self._draw_seeds(drawn)
            chosen[0].drawn += 1
            name = f"{MUTATED}/{which}"  # in the mode of what it is made of
            return Wanted(number, name, in_order(name, [folder / seed.file for seed in chosen]))
        operation = self._draw_operation(drawn) if way == _ALONE else way
        return Wanted(number, name_of(operation, which, x64=number % 3 == 2))

    def _draw_way(self, drawn: random.Random) -> str:
        ways = [way for way in WAYS if way != MUTATED or len(self.seeds) >= LEAST_SEEDS]
        best = max(self.gains[way] for way in ways)
        (way,) = drawn.choices(ways, [max(self.gains[way], _LEAST * best, 1e-9) for way in ways])
        return way

    def _draw_operation(self, drawn: random.Random) -> str:
        operations = [one for one in OPERATIONS if one not in UNWRITTEN]
        if untried := [one for one in operations if one not in self.tried]:
            found = drawn.choice(untried)
            self.tried[found] = [0, 0]  # the next one is asked for before this one is learnt of
            return found
        return drawn.choices(operations, [self._promise(one) for one in operations])[0]

    def _draw_seeds(self, drawn: random.Random) -> list[Seed]:
        """Some of the seeds, each at most once, by their energy."""
        left = list(self.seeds)
        chosen: list[Seed] = []
        while left and len(chosen) <= PARTNERS:
            (seed,) = drawn.choices(left, [one.energy for one in left])
            left.remove(seed)
            chosen.append(seed)
        return chosen

    def _promise(self, operation: str) -> float:
        tried, gained = self.tried[operation]
        return (gained + 1) / (tried + 1)

    def learn(self, written: Written) -> Collection[str]:
        """Note what a program reaches; what of that none has reached before."""
        new = written.reached - self.reached.keys()
        for feature in written.reached:
            self.reached.setdefault(feature, Reached(written.number)).programs += 1
        operation = written.name.partition("/")[0]
        way = operation if operation in WAYS else _ALONE
        self.gains[way] = _KEPT * self.gains[way] + (1 - _KEPT) * len(new) / (_COST + written.equations)
        tried, gained = self.tried.get(operation, (0, 0))
        self.tried[operation] = [tried + 1, gained + bool(new)]
        if new:
            counts = self.counts
            self.curve.append((self.programs, *(counts[kind] for kind in KINDS)))
        return new

    def add(self, file: str, first: int, equations: int) -> list[str]:
        """Have mutants made of a program; the files of those of which none are made any more."""
        self.seeds.append(Seed(file, first, equations))
        self.seeds.sort(key=lambda seed: -seed.energy)
        gone, self.seeds = self.seeds[MOST_SEEDS:], self.seeds[:MOST_SEEDS]
        return [seed.file for seed in gone]

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "schema": 1,
            "seed": self.seed,
            "reached": {name: [one.first, one.programs] for name, one in sorted(self.reached.items())},
            "seeds": [[seed.file, seed.first, seed.equations, seed.drawn] for seed in self.seeds],
            "tried": self.tried,
            "gains": self.gains,
            "curve": self.curve,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Guide:
        """The inverse of `to_json`, also of a campaign that counted fewer kinds."""
        width = 1 + len(KINDS)
        return cls(
            data["seed"],
            {name: Reached(*one) for name, one in data["reached"].items()},
            [Seed(*one) for one in data["seeds"]],
            data["tried"],
            data["gains"],
            [(*point, *[0] * (width - len(point))) for point in data["curve"]],
        )
