"""Passes into control flow: a body as a program of its own, loops that carry less, bodies with fewer equations."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax.numpy as jnp

from jace import ir
from jace.ir import is_key_dtype
from jace_repro.reducer import evaluation
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import fewer, fewer_or_none, last_first, operand_values, reading
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Atom, Candidates, Problem, normalise

#: Loops with more results than this are not asked for each of those that nobody uses.
_MANY_RESULTS = 8
#: Programs with more equations than this are too long to be bypassed equation by equation.
_MANY_EQUATIONS = 64


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
        operands = operand_values(problem, eqn)
        if operands is None:
            continue
        for body in map(clean, _bodies_of(eqn, operands)):
            if (yield body):
                yield from unwrap_bodies(body)
                return


def _weight(eqn: ir.JaxprEqn) -> int:
    return sum(map(ir.count_equations, ir.inner_jaxprs(eqn)))


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
    used = ir.used_variables(problem.jaxpr)
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
# Fewer branches


@reduction_pass("drop branches", order=65)
def drop_branches(problem: Problem) -> Candidates:
    """Leave branches of a switch out, but two: the one that it takes stays the one where it is left."""
    return last_first(problem, _is_switch, _with_fewer_branches)


def _is_switch(eqn: ir.JaxprEqn) -> bool:
    return eqn.primitive.name == "cond" and len(eqn.params["branches"]) > 2


def _with_fewer_branches(problem: Problem, position: int) -> Generator[Problem, bool, Problem]:
    eqn = problem.eqns[position]
    branches = eqn.params["branches"]
    operands = operand_values(problem, eqn)
    if operands is None:
        return problem
    taken = ir.taken_branch(len(branches), operands[0])

    def build(kept: Sequence[int]) -> Problem | None:
        if len(kept) < 2:
            return None
        index = ir.Var(eqn.invars[0].aval)
        value = jnp.asarray(kept.index(taken) if taken in kept else 0, eqn.invars[0].aval.dtype)
        eqns = problem.eqns
        eqns[position] = eqn.replace(
            invars=[index, *eqn.invars[1:]],
            params={**eqn.params, "branches": tuple(branches[k] for k in kept)},
        )
        note = f"{len(kept)} of {len(branches)} branches"
        return clean(problem.edited(eqns, problem.jaxpr.outvars, note, {index: value}))

    return (yield from fewer(problem, range(len(branches)), build))


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

    yield from fewer_or_none(problem, places, build)


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
# Equations taken out: what they gave becomes an input, or one of their operands stands in for it

#: The operand that stands in for the only result of an equation, None where none can.
StandIn = Callable[[ir.JaxprEqn], ir.Var | None]
#: The values of a body's variables as far as they are known; computed when one is asked for, which most are not.
Values = Callable[[], dict[ir.Var, Any]]


@dataclass(frozen=True)
class _Place:
    """An equation: the (equation, slot) steps that lead to its body, () at the top, then its position there."""

    path: tuple[tuple[int, ir.Slot], ...]
    index: int


def _nothing(_: ir.JaxprEqn) -> None:
    """No operand stands in for a result."""


def _first(eqn: ir.JaxprEqn) -> ir.Var | None:
    """The first operand of the type of the equation's only result."""
    return next(iter(_alike(eqn)), None)


def _last(eqn: ir.JaxprEqn) -> ir.Var | None:
    """The last operand of the type of the equation's only result."""
    return next(iter(reversed(_alike(eqn))), None)


def _alike(eqn: ir.JaxprEqn) -> list[ir.Var]:
    if len(eqn.outvars) != 1 or eqn.effects:
        return []
    wanted: Any = eqn.outvars[0].aval
    return [v for v in eqn.invars if isinstance(v, ir.Var) and _same_type(v.aval, wanted)]


def _same_type(one: Any, other: Any) -> bool:
    return bool(one.shape == other.shape and one.dtype == other.dtype)


@reduction_pass("shorten bodies", order=75)
def shorten_bodies(problem: Problem) -> Candidates:
    """Take equations out of bodies, an operand standing in for the result where one can, else as an input.

    What a loop hands on goes on to depend on what it was handed, which a cut would end and a bypass alone not reach.
    """
    yield from _fewer(problem, _places(problem.eqns, ()), _first, "take {} equations out of bodies")


@reduction_pass("cut equations in bodies", order=80, trigger=sizes_left)
def cut_in_bodies(problem: Problem) -> Candidates:
    """Take equations out of bodies: their results become inputs, with the values of the first iteration."""
    yield from _fewer(problem, _places(problem.eqns, ()), _nothing, "cut {} equations in bodies")


@reduction_pass("bypass equations", order=90, trigger=sizes_left)
def bypass(problem: Problem) -> Candidates:
    """Put an operand of the same type in the place of an equation's result, at the top and in bodies.

    This keeps a value that changes from one iteration to the next changing, where a cut would fix it.
    """
    if 1 < problem.key.equations <= _MANY_EQUATIONS:
        for stand_in in (_first, _last):
            own = [_Place((), i) for i in range(len(problem.eqns))]
            places = [*own, *_places(problem.eqns, ())]
            with_one = [p for p in places if stand_in(_equation_at(problem.eqns, p)) is not None]
            problem = yield from _fewer(problem, with_one, stand_in, "bypass {} equations")


def _fewer(
    problem: Problem, where: Iterable[_Place], stand_in: StandIn, note: str
) -> Generator[Problem, bool, Problem]:
    """Take out as many of the equations as possible: all of them, else what delta debugging leaves."""
    places = list(where)

    def build(kept: Sequence[_Place]) -> Problem | None:
        gone = frozenset(places) - frozenset(kept)
        jaxpr = problem.jaxpr
        env = functools.cache(lambda: dict(problem.values))
        left = _without(problem.eqns, jaxpr.outvars, (), _Removal(gone, stand_in), env)
        if left is None or left.lost:
            return None
        return clean(problem.edited(left.eqns, left.outs, note.format(len(gone)), left.more))

    return (yield from fewer_or_none(problem, places, build))


def _places(eqns: Sequence[ir.JaxprEqn], path: tuple[tuple[int, ir.Slot], ...]) -> Iterator[_Place]:
    for i, eqn in enumerate(eqns):
        for slot in ir.slots(eqn):
            body = slot.of(eqn).jaxpr
            inner = (*path, (i, slot))
            for j, sub in enumerate(body.eqns):
                if not sub.effects:
                    yield _Place(inner, j)
            yield from _places(body.eqns, inner)


def _equation_at(eqns: Sequence[ir.JaxprEqn], place: _Place) -> ir.JaxprEqn:
    for i, slot in place.path:
        eqns = slot.of(eqns[i]).jaxpr.eqns
    return eqns[place.index]


class _Removal(NamedTuple):
    """Which equations are taken out, and what stands in for their results."""

    gone: frozenset[_Place]
    stand_in: StandIn


class _Left(NamedTuple):
    """What is left of the equations of a body.

    Attributes:
        eqns, outs: the equations, and what the body gives.
        more: what loops in it need from outside, with the values.
        lost: results of what was taken out that `eqns` or `outs` read.
    """

    eqns: list[ir.JaxprEqn]
    outs: list[Atom]
    more: dict[ir.Var, Any]
    lost: list[ir.Var]


def _without(
    eqns: Sequence[ir.JaxprEqn],
    outs: Sequence[Atom],
    path: tuple[tuple[int, ir.Slot], ...],
    removal: _Removal,
    env: Values,
) -> _Left | None:
    """The equations of a body without those taken out; None when a value that is needed is not to be had."""
    instead: dict[ir.Var, Atom] = {}
    done: list[ir.JaxprEqn] = []
    more: dict[ir.Var, Any] = {}
    taken: list[ir.Var] = []

    read = reading(instead)
    for i, eqn in enumerate(eqns):
        eqn = eqn.replace(invars=[read(v) for v in eqn.invars])
        if _Place(path, i) in removal.gone:
            if (stand_in := removal.stand_in(eqn)) is not None:
                instead[eqn.outvars[0]] = stand_in
            else:
                taken += eqn.outvars
            continue
        for slot in ir.slots(eqn):
            inner = (*path, (i, slot))
            if not any(place.path[: len(inner)] == inner for place in removal.gone):
                continue
            made = _body_without(eqn, slot, inner, removal, env)
            if made is None:
                return None
            body, values = made
            new = {ir.Var(v.aval): value for v, value in values.items()}
            eqn = ir.with_body(eqn, slot, body, list(new))
            more = {**new, **more}
            if new:
                env().update(new)
        done.append(eqn)
    left = [read(v) for v in outs]
    used = {v for e in done for v in e.invars if isinstance(v, ir.Var)}
    used.update(v for v in left if isinstance(v, ir.Var))
    return _Left(done, left, more, [v for v in taken if v in used])


def _body_without(
    eqn: ir.JaxprEqn,
    slot: ir.Slot,
    path: tuple[tuple[int, ir.Slot], ...],
    removal: _Removal,
    env: Values,
) -> tuple[ir.ClosedJaxpr, dict[ir.Var, Any]] | None:
    """The body in `slot` without what is taken out, and its new leading invars with their values.

    In a body that is never entered (a branch not taken) the values do not matter: they are zeros.
    """
    closed = slot.of(eqn)
    body = closed.jaxpr
    inside = functools.cache(lambda: dict(_values_inside(eqn, slot, env())))
    left = _without(body.eqns, body.outvars, path, removal, inside)
    if left is None or any(is_key_dtype(v.aval.dtype) and v not in inside() for v in left.lost):
        return None
    lost = {v: inside()[v] if v in inside() else jnp.zeros(v.aval.shape, v.aval.dtype) for v in left.lost}
    more = {**left.more, **lost}
    consts = dict(zip(body.constvars, closed.consts, strict=True))
    return ir.make_closed([*more, *body.invars], left.outs, left.eqns, consts), more


def _values_inside(eqn: ir.JaxprEqn, slot: ir.Slot, env: dict[ir.Var, Any]) -> dict[ir.Var, Any]:
    if any(isinstance(v, ir.Var) and v not in env for v in eqn.invars):
        return {}
    operands = [v.val if isinstance(v, ir.Literal) else env[v] for v in eqn.invars]
    entered = evaluation.entry_values(eqn, slot, operands)
    return {} if entered is None else Problem(slot.of(eqn), tuple(entered)).values
