"""Splitting a program between DaCe and XLA.

Equations that call back into Python, or (with `on_unsupported="xla"`) that jace has no rule for, stay with XLA;
everything between them becomes regions, each compiled by DaCe. Equations are put in levels: region 0, the foreign
equations that need no more than region 0, region 1, and so on, so that the number of regions is the length of the
longest chain of alternations and not the number of foreign equations. Equations with effects keep their order.

A loop or branch with a foreign equation inside stays with XLA itself, and its bodies are split in turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace.errors import UnsupportedEquation
from jace.ir.core import Atom, map_bodies
from jace.ir.failures import unsupported
from jace.jax_internals import DropVar
from jace.registry import lookup
from jace.translate import support
from jace.translate.support import LEFT_TO_XLA

#: make(region, operands, outvars, first equation) -> the equation that runs `region`.
MakeRegion = Callable[[ClosedJaxpr, Sequence[Atom], Sequence[Var], JaxprEqn], JaxprEqn]


@dataclass(frozen=True)
class Split:
    """A program divided between DaCe and XLA.

    Attributes:
        closed: the program; regions are jace_call equations.
        foreign: what is left to XLA, with the reasons.
    """

    closed: ClosedJaxpr
    foreign: tuple[UnsupportedEquation, ...]


def split(
    closed: ClosedJaxpr, make: MakeRegion, is_small: Callable[[Any], bool], *, leave_unsupported: bool
) -> Split | None:
    """Divide a program, or answer None when all of it can be translated.

    Args:
        make: makes the equation of a region.
        is_small: whether a constant may be compiled into a region; others are its operands.
        leave_unsupported: whether equations that jace cannot translate may stay with XLA.

    Raises:
        UnsupportedPrimitiveError: an equation cannot be translated and may not stay with XLA; names all of them.
    """
    flat = ir.eliminate_dead(ir.splice(ir.purify(closed), _open))
    if not any(support.unsupported_in(support.flatten(flat))):
        return None
    splitter = _Splitter(make, is_small, leave_unsupported)
    mixed = splitter.body(flat)
    support.refuse(splitter.refused)
    return Split(mixed, tuple(splitter.foreign))


def _open(eqn: JaxprEqn) -> ir.Splice | None:
    """A call's body; also the expansion of an equation when something inside of it cannot be translated."""
    call = ir.expand_call(eqn)
    name = eqn.primitive.name
    if call is not None or lookup(name) is not None or name in LEFT_TO_XLA:
        return call
    return ir.expand_unruled(eqn) if support.unsupported_equations(eqn) else None


@dataclass
class _Splitter:
    make: MakeRegion
    is_small: Callable[[Any], bool]
    leave_unsupported: bool
    foreign: list[UnsupportedEquation] = field(default_factory=list)
    refused: list[UnsupportedEquation] = field(default_factory=list)

    def body(self, closed: ClosedJaxpr) -> ClosedJaxpr:
        """One body, its equations grouped and its foreign control flow split inside."""
        jaxpr = closed.jaxpr
        consts: dict[Var, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
        done = [self.equation(eqn) for eqn in jaxpr.eqns]
        groups = _levels(done)
        eqns: list[JaxprEqn] = []
        for n, (in_region, members) in enumerate(groups):
            if not in_region:
                eqns += members
                continue
            later = itertools.chain.from_iterable(_reads(m for _, g in groups[n + 1 :] for m in g))
            wanted = {*later, *(v for v in jaxpr.outvars if isinstance(v, Var))}
            eqns.append(self.region(members, wanted, consts))
        return ir.make_closed(jaxpr.invars, jaxpr.outvars, eqns, consts)

    def equation(self, eqn: JaxprEqn) -> tuple[bool, JaxprEqn]:
        """(whether it goes into a region, the equation, its bodies split if it stays with XLA)."""
        name = eqn.primitive.name
        problems = support.unsupported_equations(eqn)
        if not problems:
            return True, eqn
        if name in LEFT_TO_XLA and lookup(name) is None:
            self.foreign.append(unsupported(eqn, LEFT_TO_XLA[name]))
            return False, eqn
        if name in ir.CONTROL and lookup(name) is not None:
            return False, eqn.replace(params=map_bodies(eqn.params, self.body))
        if self.leave_unsupported:
            self.foreign.append(unsupported(eqn, "; ".join(sorted({p.reason for p in problems}))))
        else:
            self.refused += problems
        return False, eqn

    def region(self, members: Sequence[JaxprEqn], wanted: set[Var], consts: dict[Var, Any]) -> JaxprEqn:
        """The equation that runs `members`, answering the variables among `wanted` that they define."""
        defined = [v for eqn in members for v in eqn.outvars if not isinstance(v, DropVar)]
        outvars = [v for v in defined if v in wanted]
        inside = set(defined)
        read = dict.fromkeys(v for reads in _reads(members) for v in reads if v not in inside)
        small = {v: consts[v] for v in read if v in consts and self.is_small(consts[v])}
        operands = [v for v in read if v not in small]
        # Variables of a region are its own: the outer program goes on using the old ones.
        body = ir.splice(ir.make_closed(operands, outvars, members, small), lambda eqn: None)
        return self.make(body, operands, outvars, members[0])


def _reads(eqns: Iterable[JaxprEqn]) -> Iterator[list[Var]]:
    for eqn in eqns:
        yield [v for v in eqn.invars if not isinstance(v, Literal)]


def _levels(eqns: Sequence[tuple[bool, JaxprEqn]]) -> list[tuple[bool, list[JaxprEqn]]]:
    """Equations grouped as (is a region, members): region 0, foreign 0, region 1, ...; empty groups left out."""
    level_of: dict[Var, tuple[int, bool]] = {}
    groups: dict[tuple[int, bool], list[JaxprEqn]] = {}
    last_effect = 0
    for in_region, eqn in eqns:
        sources = [level_of[v] for reads in _reads([eqn]) for v in reads if v in level_of]
        # a region comes before the foreign equations of its level
        level = max((n + (in_region and not source_in) for n, source_in in sources), default=0)
        if eqn.effects:
            level = last_effect = max(level, last_effect)
        groups.setdefault((level, not in_region), []).append(eqn)
        level_of.update((v, (level, in_region)) for v in eqn.outvars)
    return [(not foreign, groups[level, foreign]) for level, foreign in sorted(groups)]
