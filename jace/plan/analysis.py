"""Decisions before a body is planned: what is stored in memory, and which updates happen in place.

Fusion here means *not storing*: an elementwise or index-map result stays a lazy expression, recomputed where it is
read, unless it is needed in memory or recomputing it would cost more than a store and a load.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from typing import Any

from jax.extend.core import Jaxpr, JaxprEqn, Var

from jace.ir.core import describe
from jace.plan.fusions import Fusions
from jace.registry import Elementwise, IndexMap, Region, Rule, lookup

#: Additions that recomputing may cost an element before storing is cheaper.
RECOMPUTE_BUDGET = 16
#: A value that costs at least this (a division, a logarithm) is not recomputed for every element of a broadcast.
EXPENSIVE = 8
#: Results that are computed where they are read, one within the other, at most: the emitter goes down to them by
#: recursion, a few of Python's frames each, and twice as many for an index map.
MAX_DEPTH = 100
_NEVER = math.inf


@dataclass
class Decisions:
    """What `analyse` decided.

    Attributes:
        stored: lazy variables that are computed into memory where they are defined.
        in_place: first output of an updating equation -> the operand whose buffer it takes over.
        last_read: variable in memory -> index of the last equation (or inf) that reads it, lazily or not.
        position: variable in memory -> index of the equation that defines it.
    """

    stored: set[Var] = field(default_factory=set)
    in_place: dict[Var, Var] = field(default_factory=dict)
    last_read: dict[Var, float] = field(default_factory=dict)
    position: dict[Var, int] = field(default_factory=dict)

    def last_read_of_buffer(self, owner: Var | None) -> float:
        """Index of the last equation that reads `owner` or a variable that took over its buffer; -1 if none."""
        last, members = -1.0, {owner}
        # in program order, so that a chain of updates is followed to its end
        for out, taken in self.in_place.items():
            if taken in members:
                members.add(out)
        for v in members:
            if v is not None:
                last = max(last, self.last_read.get(v, -1))
        return last


def rule_of(eqn: JaxprEqn) -> Rule:
    """The rule of a supported equation."""
    rule = lookup(eqn.primitive.name)
    assert rule is not None, eqn.primitive.name  # unsupported equations are reported before planning
    return rule


def _forced(jaxpr: Jaxpr, fuse: bool) -> set[Var]:
    """Lazy variables that must be in memory whatever it costs."""
    forced = {v for v in jaxpr.outvars if isinstance(v, Var)}
    for eqn in jaxpr.eqns:
        match rule_of(eqn):
            case Region(lazy=lazy):
                needed = [v for i, v in enumerate(eqn.invars) if i not in lazy]
            case IndexMap(materialize=materialize, buffers=buffers):
                needed = [eqn.invars[i] for i in buffers]
                if materialize:
                    forced.update(eqn.outvars)
            case _:
                needed = []
        if not fuse:
            forced.update(eqn.outvars)
        forced.update(v for v in needed if isinstance(v, Var))
    return forced


def _param_key(eqn: JaxprEqn) -> Hashable:
    return (eqn.primitive.name, tuple(sorted((k, str(v)) for k, v in eqn.params.items())))


def _costs(jaxpr: Jaxpr, stored: Collection[Var]) -> dict[Var, float]:
    """Additions an element of each lazy variable costs, operands that are in memory free."""
    cost: dict[Var, float] = {}
    for eqn in jaxpr.eqns:
        rule = rule_of(eqn)
        if isinstance(rule, Region):
            continue
        own = rule.cost + sum(cost.get(v, 0) for v in {v for v in eqn.invars if isinstance(v, Var)})
        for v in eqn.outvars:
            cost[v] = 0 if v in stored else min(own, 1e6)
    return cost


def _store_what_is_dear(jaxpr: Jaxpr, stored: set[Var]) -> None:
    """Add to `stored` what would be recomputed too often.

    Walks backwards; `uses[v]` is the set of distinct ways (chains of index maps from a stored result) in which
    an element of `v` is asked for. One way means one computation an element, however many equations read it.
    """
    cost = _costs(jaxpr, stored)
    uses: dict[Var, set[Hashable]] = {}
    for eqn in reversed(jaxpr.eqns):
        rule = rule_of(eqn)
        for k, out in enumerate(eqn.outvars):
            ways = uses.get(out, set())
            if not isinstance(rule, Region):
                if (len(ways) - 1) * cost[out] > RECOMPUTE_BUDGET or len(ways) > 64:
                    stored.add(out)
                if out in stored:
                    ways = {("stored", out.aval.shape)}
            for i, operand in enumerate(eqn.invars):
                if not isinstance(operand, Var):
                    continue
                mine = uses.setdefault(operand, set())
                if isinstance(rule, Region):
                    mine.add(("region", id(eqn), i))
                elif isinstance(rule, Elementwise) and operand.aval.shape == out.aval.shape:
                    mine |= ways
                else:
                    mine |= {(_param_key(eqn), i, k, way) for way in ways}
                    grows = out.aval.size > operand.aval.size
                    if grows and cost.get(operand, 0) >= EXPENSIVE:
                        stored.add(operand)


def _store_what_is_deep(jaxpr: Jaxpr, stored: set[Var]) -> None:
    """Add to `stored` what ends a long chain of lazy results, as an unrolled loop makes them."""
    depth: dict[Var, int] = {}
    for eqn in jaxpr.eqns:
        rule = rule_of(eqn)
        if isinstance(rule, Region):
            continue
        below = max((depth.get(v, 0) for v in eqn.invars if isinstance(v, Var)), default=0)
        mine = below + (2 if isinstance(rule, IndexMap) else 1)
        for v in eqn.outvars:
            if mine > MAX_DEPTH:
                stored.add(v)
            depth[v] = 0 if v in stored else mine


def _store_what_may_not_be_lazy(jaxpr: Jaxpr, stored: set[Var], fusions: Fusions) -> None:
    """Add to `stored` what no decision of fusion is left for, in program order."""
    for eqn in jaxpr.eqns:
        line = functools.partial(_lazy, eqn)
        for v in eqn.outvars if not isinstance(rule_of(eqn), Region) else ():
            if v not in stored and not fusions.allow(line):
                stored.add(v)


def _lazy(eqn: JaxprEqn) -> str:
    return f"computed where it is read: {describe(eqn)}"


def analyse(jaxpr: Jaxpr, *, fuse: bool, writable: Collection[Var], fusions: Fusions) -> Decisions:
    """Decide storage and in-place updates for one body.

    Args:
        fuse: leave results lazy where that pays; otherwise every result is stored.
        writable: invars whose buffer the body may overwrite after their last read (loop carries).
        fusions: how many results may stay lazy, and a record of them.
    """
    decisions = Decisions(stored=_forced(jaxpr, fuse))
    if fuse:
        _store_what_is_dear(jaxpr, decisions.stored)
        _store_what_is_deep(jaxpr, decisions.stored)
        _store_what_may_not_be_lazy(jaxpr, decisions.stored, fusions)
    leaves: dict[Var, set[Var]] = {}

    def reads_of(atoms: Collection[Any]) -> set[Var]:
        found: set[Var] = set()
        for v in atoms:
            if isinstance(v, Var):
                found |= leaves.get(v, {v})
        return found

    for t, eqn in enumerate(jaxpr.eqns):
        lazy = not isinstance(rule_of(eqn), Region)
        reads = reads_of(eqn.invars)
        for v in eqn.outvars:
            if lazy and v not in decisions.stored:
                leaves[v] = reads
            else:
                decisions.position[v] = t
        if any(v not in leaves for v in eqn.outvars):
            for v in reads:
                decisions.last_read[v] = t
    for v in reads_of(jaxpr.outvars):
        decisions.last_read[v] = _NEVER

    for t, eqn in enumerate(jaxpr.eqns):
        rule = rule_of(eqn)
        if not isinstance(rule, Region) or rule.updates is None:
            continue
        operand = eqn.invars[rule.updates]
        others = [v for i, v in enumerate(eqn.invars) if i != rule.updates]
        if (
            isinstance(operand, Var)
            and (operand in decisions.position or operand in writable)
            and decisions.last_read.get(operand) == t
            and operand not in reads_of(others)
        ):
            decisions.in_place[eqn.outvars[0]] = operand
    return decisions
