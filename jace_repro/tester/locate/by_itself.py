"""Every equation on the operands that the program has at its place, bodies of loops and branches entered.

What a whole program computes may say nothing: in a chaotic one, any two executions part company. Each of its equations
is right or wrong all the same, on operands that plain JAX has computed.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace.ir import CONTROL, entries, live_equations
from jace_repro.tester.locate.conviction import Build, LimitedBuilder, SpentError, try_program
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.locate.side_by_side import Instance, instances_of, suspects

#: Iterations of a loop whose equations are asked: at least half as many, evenly spaced, and the last.
ITERATIONS = 8
#: Equations of a program that are asked at most.
MOST = 4096

#: The way into the bodies that an equation is in.
_Path = tuple[str, ...]
#: (label, body, operands)
_Entry = tuple[str, ClosedJaxpr, list[Any]]


def guilty_by_itself(
    closed: ClosedJaxpr,
    args: Sequence[Any],
    build: Build,
    *,
    right: Collection[int] = (),
    max_compilations: int = 24,
) -> Localized | None:
    """The first equation that is wrong on its own operands; none that is control flow.

    Args:
        closed: a program without calls.
        args: its inputs.
        build: compiles a program for the pipeline under test; its exceptions of type JaceError are survived.
        right: outputs that are right: what they depend on has been seen to be, and is not asked.
        max_compilations: programs to compile at most.
    """
    builder = LimitedBuilder(build, max_compilations)
    seen = {id(e) for e in live_equations(closed.jaxpr, [closed.jaxpr.outvars[k] for k in right])[0]}
    found = (instance for instance in instances_of(closed, list(args)) if id(instance.eqn) not in seen)
    places = list(itertools.islice(_places(found, ()), MOST))
    numbered = [replace(instance, index=number) for number, (_, instance) in enumerate(places)]
    try:
        for suspect in suspects(builder, numbered):
            conviction = try_program(builder, suspect.judge)
            if conviction is not None:
                path, instance = places[suspect.index]
                return Localized.of(
                    suspect.eqn,
                    suspect.alone.closed,
                    suspect.inputs,
                    suspect.judge.expected,
                    conviction.got,
                    path=path,
                    index=instance.index,
                    difference=conviction.difference,
                    confirmed=True,
                    compilations=max_compilations - builder.left,
                )
    except SpentError:
        pass
    return None


def _places(instances: Iterable[Instance], path: _Path) -> Iterator[tuple[_Path, Instance]]:
    """The equations that are no control flow, where they are, in program order."""
    for instance in instances:
        if instance.eqn.primitive.name in CONTROL:
            for label, body, operands in _some(entries(instance.eqn, instance.operands)):
                yield from _places(instances_of(body, list(operands)), (*path, label))
        else:
            yield path, instance


@dataclass
class _Sample:
    """Some of the entries into one body, evenly spaced, and the last."""

    kept: list[_Entry] = field(default_factory=list)
    last: _Entry | None = None
    count: int = 0
    stride: int = 1

    def add(self, entry: _Entry) -> None:
        """The next entry."""
        if self.count % self.stride == 0:
            self.kept.append(entry)
            if len(self.kept) >= ITERATIONS:
                self.kept, self.stride = self.kept[::2], 2 * self.stride
        self.last, self.count = entry, self.count + 1

    @property
    def chosen(self) -> list[_Entry]:
        """What was kept, in order."""
        return [
            *self.kept,
            *([self.last] if self.last is not None and self.last is not self.kept[-1] else []),
        ]


def _some(found: Iterable[_Entry]) -> list[_Entry]:
    """Some of the entries into each body of an equation."""
    samples: dict[int, _Sample] = {}
    for entry in found:
        samples.setdefault(id(entry[1]), _Sample()).add(entry)
    return [entry for sample in samples.values() for entry in sample.chosen]
