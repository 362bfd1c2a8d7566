"""Passes into control flow: a body as a program of its own, loops that carry less, bodies with fewer equations."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp

from jace import ir
from jace.ir import is_key_dtype
from jace_repro.reducer import evaluation
from jace_repro.reducer.ahead import Candidates
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import delta_debug
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Atom, Problem, normalise

#: Loops with more results than this are not asked for each of those that nobody uses.
_MANY_RESULTS = 8
#: Programs with more equations than this are too long to be bypassed equation by equation.
_MANY_EQUATIONS = 64


def _operands(problem: Problem, eqn: ir.JaxprEqn) -> list[Any] | None:
    """The operand values of a top-level equation, None when they have no value."""
    values = problem.values
    if any(isinstance(v, ir.Var) and v not in values for v in eqn.invars):
        return None
    return [v.val if isinstance(v, ir.Literal) else values[v] for v in eqn.invars]


# -----------------------------------------------------------------------------------------------------------
# A body instead of the loop


def _bodies_and_trips(problem: Problem) -> tuple[int, int]:
    """How many loops and conds there are: a body that did not fail alone will not when it is shorter.

    And how often they run: when a loop has been cut where it begins to fail, the last iteration is another one.
    """
    return sum(eqn.primitive.name in ir.CONTROL for _, eqn in ir.walk(problem.jaxpr)), problem.key.trips


@reduction_pass("unwrap control flow", order=40, trigger=_bodies_and_trips)
def unwrap_bodies(problem: Problem) -> Candidates:
    """Replace the program by the body of one of its loops or conds, on the operands of one iteration.

    The first, last and middle iteration of a loop are tried; the branch that a cond takes, then the others.
    """
    held = [eqn for eqn in problem.eqns if eqn.primitive.name in ir.CONTROL]
    for eqn in sorted(held, key=_weight, reverse=True):
        operands = _operands(problem, eqn)
        if operands is None:
            continue
        for body in map(clean, _bodies_of(eqn, operands)):
            if (yield body):
                yield from unwrap_bodies(body)
                return


def _weight(eqn: ir.JaxprEqn) -> int:
    return sum(ir.count_equations(sub) for subs in ir.sub_jaxprs(eqn).values() for sub in subs)


def _bodies_of(eqn: ir.JaxprEqn, operands: Sequence[Any]) -> Iterator[Problem]:
    for slot, iteration, note in _entries(eqn, operands):
        body = body_problem(eqn, slot, operands, iteration, note)
        if body is not None:
            yield body


def body_problem(
    eqn: ir.JaxprEqn, slot: ir.Slot, invals: Sequence[Any], iteration: int, note: str
) -> Problem | None:
    """The body in `slot` as a program of its own, on the operands of one iteration."""
    values = evaluation.entry_values(eqn, slot, invals, iteration)
    return None if values is None else normalise(slot.of(eqn), values, note)


def _entries(eqn: ir.JaxprEqn, operands: Sequence[Any]) -> Iterator[tuple[ir.Slot, int, str]]:
    if eqn.primitive.name == "cond":
        taken = ir.taken_branch(len(eqn.params["branches"]), operands[0])
        # what fails before it runs may be in a branch that is not taken
        for slot in sorted(ir.slots(eqn), key=lambda slot: (slot.index != taken, -_size(slot.of(eqn)))):
            if _size(slot.of(eqn)):
                yield slot, 0, f"branch {slot.index} of cond"
        return
    trips = evaluation.trip_count(eqn, operands)
    for iteration in dict.fromkeys((0, max(trips - 1, 0), trips // 2)):
        yield ir.carried(eqn)[0], iteration, f"body of {eqn.primitive.name}, iteration {iteration} of {trips}"
    if eqn.primitive.name == "while":
        yield ir.WHILE_CONDITION, 0, "condition of while"


def _size(closed: ir.ClosedJaxpr) -> int:
    return ir.count_equations(closed)


# ------------------------------------------------------------------------------------------------------------
# Another result of the loop


@reduction_pass("give out another result", order=60)
def other_results(problem: Problem) -> Candidates:
    """Give out a result of a loop or cond that the program ignores: the counter, say, instead of the rest."""
    jaxpr = problem.jaxpr
    used = {v for e in problem.eqns for v in e.invars if isinstance(v, ir.Var)}
    used.update(v for v in jaxpr.outvars if isinstance(v, ir.Var))
    for i, eqn in enumerate(problem.eqns):
        if eqn.primitive.name not in ir.CONTROL or len(eqn.outvars) > _MANY_RESULTS:
            continue
        for k, ignored in enumerate(eqn.outvars):
            if ignored not in used:
                result = ir.Var(ignored.aval)
                outvars = [result if j == k else v for j, v in enumerate(eqn.outvars)]
                eqns = [eqn.replace(outvars=outvars) if j == i else e for j, e in enumerate(problem.eqns)]
                note = f"result {k} of {eqn.primitive.name} instead"
                if (yield clean(problem.edited(eqns, [result], note))):
                    return


# -----------------------------------------------------------------------------------------------------------
# Loops that carry less


@reduction_pass("freeze carries", order=70)
def freeze_carries(problem: Problem) -> Candidates:
    """Let loops hand carries on unchanged; a carry that never changes becomes a constant of the loop."""
    places = [
        (i, c)
        for i, eqn in enumerate(problem.eqns)
        if eqn.primitive.name in {"scan", "while"}
        for c in _freezable(eqn)
    ]

    def build(kept: Sequence[tuple[int, int]]) -> Problem:
        frozen = set(places) - set(kept)
        eqns = [_freeze(eqn, {c for j, c in frozen if j == i}) for i, eqn in enumerate(problem.eqns)]
        note = f"freeze {len(frozen)} carries"
        return clean(problem.edited(eqns, problem.jaxpr.outvars, note))

    if places and not (yield build([])):
        yield from delta_debug(places, build)


def _freezable(eqn: ir.JaxprEqn) -> list[int]:
    slot, first, count = ir.carried(eqn)
    body = slot.of(eqn).jaxpr
    return [i for i in range(count) if body.outvars[i] is not body.invars[first + i]]


def _freeze(eqn: ir.JaxprEqn, which: set[int]) -> ir.JaxprEqn:
    if not which:
        return eqn
    slot, first, _ = ir.carried(eqn)
    closed = slot.of(eqn)
    body = closed.jaxpr
    outs = [body.invars[first + i] if i in which else v for i, v in enumerate(body.outvars)]
    consts = dict(zip(body.constvars, closed.consts, strict=True))
    return ir.with_body(eqn, slot, ir.make_closed(body.invars, outs, body.eqns, consts), ())


# -----------------------------------------------------------------------------------------------------------
# Bodies with fewer equations


@dataclass(frozen=True)
class _Place:
    """An equation in a body: the (equation, slot) steps that lead to the body, then its position there."""

    path: tuple[tuple[int, ir.Slot], ...]
    index: int


@reduction_pass("cut equations in bodies", order=80, trigger=sizes_left)
def cut_in_bodies(problem: Problem) -> Candidates:
    """Take equations out of bodies: their results become inputs, with the values of the first iteration."""
    places = list(_places(problem.eqns, ()))

    def build(kept: Sequence[_Place]) -> Problem | None:
        cut = set(places) - set(kept)
        eqns, extra, values = _cut(problem.eqns, (), cut, dict(problem.values))
        if extra is None:
            return None
        note = f"cut {len(cut)} equations in bodies"
        more = dict(zip(extra, values, strict=True))
        return clean(problem.edited(eqns, problem.jaxpr.outvars, note, more))

    if not places:
        return
    everything = build([])
    if everything is None or not (yield everything):
        yield from delta_debug(places, build)


def _places(eqns: Sequence[ir.JaxprEqn], path: tuple[tuple[int, ir.Slot], ...]) -> Iterator[_Place]:
    for i, eqn in enumerate(eqns):
        for slot in ir.slots(eqn):
            body = slot.of(eqn).jaxpr
            inner = (*path, (i, slot))
            for j, sub in enumerate(body.eqns):
                if not sub.effects:
                    yield _Place(inner, j)
            yield from _places(body.eqns, inner)


def _cut(
    eqns: Sequence[ir.JaxprEqn],
    path: tuple[tuple[int, ir.Slot], ...],
    cut: set[_Place],
    env: dict[ir.Var, Any],
) -> tuple[list[ir.JaxprEqn], list[ir.Var] | None, list[Any]]:
    """`eqns` with the places in `cut` taken out of their bodies.

    Returns:
        The new equations, the variables they need from outside and their values; None for the variables when
        the value of one of them is not to be had.
    """
    done: list[ir.JaxprEqn] = []
    extra: list[ir.Var] = []
    values: list[Any] = []
    for i, eqn in enumerate(eqns):
        for slot in ir.slots(eqn):
            inner = (*path, (i, slot))
            if not any(place.path[: len(inner)] == inner for place in cut):
                continue
            made = _cut_body(eqn, slot, inner, cut, env)
            if made is None:
                return [], None, []
            body, new, vals = made
            outer = [ir.Var(v.aval) for v in new]
            eqn = ir.with_body(eqn, slot, body, outer)
            extra, values = [*outer, *extra], [*vals, *values]
            env.update(zip(outer, vals, strict=True))
        done.append(eqn)
    return done, extra, values


def _cut_body(
    eqn: ir.JaxprEqn,
    slot: ir.Slot,
    path: tuple[tuple[int, ir.Slot], ...],
    cut: set[_Place],
    env: dict[ir.Var, Any],
) -> tuple[ir.ClosedJaxpr, list[ir.Var], list[Any]] | None:
    """The body without the places in `cut`, its new leading invars, and their values.

    In a body that is never entered (a branch not taken) the values do not matter: they are zeros.
    """
    closed = slot.of(eqn)
    body = closed.jaxpr
    inside = _values_inside(eqn, slot, env)
    here = {place.index for place in cut if place.path == path}
    kept, extra, values = _cut(body.eqns, path, cut, dict(inside))
    if extra is None:
        return None
    kept = [e for j, e in enumerate(kept) if j not in here]
    read = {v for e in kept for v in e.invars if isinstance(v, ir.Var)}
    read.update(v for v in body.outvars if isinstance(v, ir.Var))
    lost = [v for j, e in enumerate(body.eqns) if j in here for v in e.outvars if v in read]
    if any(v not in inside and is_key_dtype(v.aval.dtype) for v in lost):
        return None
    fresh = [inside[v] if v in inside else jnp.zeros(v.aval.shape, v.aval.dtype) for v in lost]
    consts = dict(zip(body.constvars, closed.consts, strict=True))
    new = ir.make_closed([*extra, *lost, *body.invars], body.outvars, kept, consts)
    return new, [*extra, *lost], [*values, *fresh]


def _values_inside(eqn: ir.JaxprEqn, slot: ir.Slot, env: dict[ir.Var, Any]) -> dict[ir.Var, Any]:
    if any(isinstance(v, ir.Var) and v not in env for v in eqn.invars):
        return {}
    operands = [v.val if isinstance(v, ir.Literal) else env[v] for v in eqn.invars]
    entered = evaluation.entry_values(eqn, slot, operands)
    return {} if entered is None else Problem(slot.of(eqn), tuple(entered)).values


# ------------------------------------------------------------------------------------------------------------
# Equations bypassed


@reduction_pass("bypass equations", order=90, trigger=sizes_left)
def bypass(problem: Problem) -> Candidates:
    """Put an operand of the same type in the place of an equation's result, at the top and in bodies.

    This keeps a value that changes from one iteration to the next changing, where a cut would fix it.
    """
    if 1 < problem.key.equations <= _MANY_EQUATIONS:
        for which in (0, -1):
            problem = yield from _bypass_by(problem, which)


def _bypass_by(problem: Problem, which: int) -> Generator[Problem, bool, Problem]:
    """Bypass as many equations as possible by their first (0) or last (-1) operand of the right type."""
    own = [_Place((), i) for i in range(len(problem.eqns))]
    places = [
        place
        for place in (*own, *_places(problem.eqns, ()))
        if _stand_in(_equation_at(problem.eqns, place), which) is not None
    ]
    jaxpr = problem.jaxpr

    def build(kept: Sequence[_Place]) -> Problem:
        skipped = set(places) - set(kept)
        eqns, outvars = _bypass(problem.eqns, list(jaxpr.outvars), (), skipped, which)
        note = f"bypass {len(skipped)} equations"
        return clean(problem.edited(eqns, outvars, note))

    if not places:
        return problem
    everything = build([])
    if (yield everything):
        return everything
    kept = yield from delta_debug(places, build)
    return build(kept) if len(kept) < len(places) else problem


def _equation_at(eqns: Sequence[ir.JaxprEqn], place: _Place) -> ir.JaxprEqn:
    for i, slot in place.path:
        eqns = slot.of(eqns[i]).jaxpr.eqns
    return eqns[place.index]


def _stand_in(eqn: ir.JaxprEqn, which: int) -> ir.Var | None:
    """The first (0) or last (-1) operand of the type of the equation's only result."""
    if len(eqn.outvars) != 1 or eqn.effects:
        return None
    wanted: Any = eqn.outvars[0].aval
    found = [v for v in eqn.invars if isinstance(v, ir.Var) and _same_type(v.aval, wanted)]
    return found[which] if found else None


def _same_type(one: Any, other: Any) -> bool:
    return bool(one.shape == other.shape and one.dtype == other.dtype)


def _bypass(
    eqns: Sequence[ir.JaxprEqn],
    outs: list[Atom],
    path: tuple[tuple[int, ir.Slot], ...],
    skipped: set[_Place],
    which: int,
) -> tuple[list[ir.JaxprEqn], list[Atom]]:
    instead: dict[ir.Var, Atom] = {}
    done: list[ir.JaxprEqn] = []

    def read(atom: Atom) -> Atom:
        return instead.get(atom, atom) if isinstance(atom, ir.Var) else atom

    for i, eqn in enumerate(eqns):
        eqn = eqn.replace(invars=[read(v) for v in eqn.invars])
        stand_in = _stand_in(eqn, which) if _Place(path, i) in skipped else None
        if stand_in is not None:
            instead[eqn.outvars[0]] = stand_in
            continue
        for slot in ir.slots(eqn):
            inner = (*path, (i, slot))
            if any(place.path[: len(inner)] == inner for place in skipped):
                closed = slot.of(eqn)
                body = closed.jaxpr
                consts = dict(zip(body.constvars, closed.consts, strict=True))
                new, new_outs = _bypass(body.eqns, list(body.outvars), inner, skipped, which)
                eqn = ir.with_body(eqn, slot, ir.make_closed(body.invars, new_outs, new, consts), ())
        done.append(eqn)
    return done, [read(v) for v in outs]
