"""Equations by themselves: all kinds of them in one program, whose inputs are fresh.

One compilation tests every kind (primitive, parameters, operand types) in isolation; running it again with other
operands tests every instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.errors import JaceError
from jace.ir import fingerprint, live_equations, make_closed
from jace_repro.tester.execute.traced import base_array
from jace_repro.tester.locate.conviction import Judge, LimitedBuilder, call
from jace_repro.tester.numerics import native

#: Kinds of equations compiled side by side at a time, and bytes of operands and results held for it.
BATCH_KINDS = 64
BATCH_BYTES = 1 << 28


@dataclass(frozen=True)
class Instance:
    """One equation with its actual operands and right results.

    Attributes:
        index: its position in the program.
        read: which of its results the program reads: a pass may well do otherwise where one is not read.
    """

    index: int
    eqn: JaxprEqn
    operands: tuple[Any, ...]
    results: tuple[Any, ...]
    read: tuple[int, ...]

    @cached_property
    def alone(self) -> Single:
        """The equation as a program of its own, whose outputs are those results that the program reads."""
        return single(self.eqn, self.read)

    @property
    def inputs(self) -> list[Any]:
        """The inputs of that program."""
        return self.alone.inputs(self.operands)

    @cached_property
    def judge(self) -> Judge:
        """Says what is wrong with results: it is asked side by side with others, and of the equation alone."""
        return Judge.of(self.alone.closed, self.inputs, [base_array(self.results[k]) for k in self.read])


def instances_of(closed: ClosedJaxpr, args: Sequence[Any]) -> list[Instance]:
    """The live equations with operands and results: NumPy's where it can, for XLA would compile each of them."""
    live, _ = live_equations(closed.jaxpr, closed.jaxpr.outvars)
    alive = {id(eqn) for eqn in live}
    read = {
        v for atoms in (closed.jaxpr.outvars, *(e.invars for e in live)) for v in atoms if isinstance(v, Var)
    }
    return [
        Instance(
            index,
            eqn,
            tuple(invals),
            tuple(outvals),
            tuple(k for k, v in enumerate(eqn.outvars) if v in read),
        )
        for index, eqn, invals, outvals in native.evaluate_each(closed, args)
        if id(eqn) in alive and not eqn.effects
    ]


@dataclass(frozen=True)
class Single:
    """An equation as a program: its distinct variables are the inputs, literals stay in place.

    Attributes:
        closed: the program.
        positions: of the inputs among the equation's operands.
    """

    closed: ClosedJaxpr
    positions: tuple[int, ...]

    def inputs(self, operands: Sequence[Any]) -> list[Any]:
        """Its inputs, of the operands of the equation."""
        return [operands[p] for p in self.positions]


def single(eqn: JaxprEqn, read: Sequence[int] | None = None) -> Single:
    """An equation as a program of its own, whose outputs are all results, or those that are `read`."""
    first: dict[Var, int] = {}
    for position, atom in enumerate(eqn.invars):
        if isinstance(atom, Var):
            first.setdefault(atom, position)
    fresh = {v: Var(v.aval) for v in first}
    outvars = [Var(v.aval) for v in eqn.outvars]
    alone = eqn.replace(
        invars=[a if isinstance(a, Literal) else fresh[a] for a in eqn.invars], outvars=outvars
    )
    wanted = outvars if read is None else [outvars[k] for k in read]
    return Single(make_closed([fresh[v] for v in first], wanted, [alone]), tuple(first.values()))


def suspects(builder: LimitedBuilder, instances: Sequence[Instance]) -> Iterator[Instance]:
    """Instances that diverge when all kinds of equations run side by side, in program order."""
    kinds: dict[str, list[Instance]] = {}
    for instance in instances:
        kinds.setdefault(fingerprint(instance.alone.closed), []).append(instance)
    for batch in _batches(list(kinds.values())):
        yield from sorted(_diverging(builder, batch), key=lambda instance: instance.index)


def _batches(kinds: Iterable[list[Instance]]) -> Iterator[list[list[Instance]]]:
    batch: list[list[Instance]] = []
    held = 0
    for group in kinds:
        size = sum(
            v.aval.size * 8 for v in (*group[0].eqn.invars, *group[0].eqn.outvars) if hasattr(v.aval, "size")
        )
        if batch and (len(batch) >= BATCH_KINDS or held + size > BATCH_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(group)
        held += size
    if batch:
        yield batch


def _diverging(builder: LimitedBuilder, batch: list[list[Instance]]) -> list[Instance]:
    """Compile one program of all kinds and run every instance; halve the batch when it does not build or run."""
    singles = [group[0].alone for group in batch]
    side_by_side = make_closed(
        [v for s in singles for v in s.closed.jaxpr.invars],
        [v for s in singles for v in s.closed.jaxpr.outvars],
        [eqn for s in singles for eqn in s.closed.jaxpr.eqns],
    )
    try:
        executable = builder.build(side_by_side)
        found: list[Instance] = []
        for turn in range(max(map(len, batch))):
            now = [group[min(turn, len(group) - 1)] for group in batch]
            operands = [o for s, i in zip(singles, now, strict=True) for o in s.inputs(i.operands)]
            got = call(executable, side_by_side, operands)
            for instance, group in zip(now, batch, strict=True):
                outs, got = got[: len(instance.read)], got[len(instance.read) :]
                if turn < len(group) and instance.judge.convicts(outs):
                    found.append(instance)
    except JaceError:
        if len(batch) == 1:
            return []  # it does not build alone: another outcome's business
        half = len(batch) // 2
        return [*_diverging(builder, batch[:half]), *_diverging(builder, batch[half:])]
    return found
