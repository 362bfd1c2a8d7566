"""Removing what a program computes or carries in vain, inside of loops and branches too.

Further than `dead` goes, which keeps every equation's operands and results: here a loop loses carries that nobody
needs, a carry that never changes becomes a constant of the loop, and bodies lose their unused operands: those that are
numbers are numbers in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.control import WHILE_CONDITION, Scan, Slot, While, carried, slots, with_body
from jace.ir.core import Atom, make_closed
from jace.ir.dead import live_equations
from jace.jax_internals import DropVar

T = TypeVar("T")


def trim(eqns: Sequence[JaxprEqn], outs: Sequence[Atom]) -> tuple[list[JaxprEqn], list[Atom]]:
    """The equations of a program that its outputs need, each slimmer where it can be, and the outputs.

    An output that a loop only hands on becomes the operand that it hands on. Equations with effects stay.
    """
    # Backwards what is not needed goes, then forwards frozen carries give way; again when that freed something.
    current, results = list(eqns), list(outs)
    while True:
        kept = _needed(current, results)
        current, replaced = _thaw(kept)
        if not replaced:
            return current, results
        results = [_read(replaced, v) for v in results]


def trim_closed(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` with the equations that `trim` leaves; its inputs stay."""
    jaxpr = closed.jaxpr
    eqns, outs = trim(jaxpr.eqns, jaxpr.outvars)
    return make_closed(jaxpr.invars, outs, eqns, _consts(closed))


def _read(replaced: dict[Var, Atom], atom: Atom) -> Atom:
    return replaced.get(atom, atom) if isinstance(atom, Var) else atom


def _needed(eqns: Sequence[JaxprEqn], outs: Iterable[Atom]) -> list[JaxprEqn]:
    """What `outs` need, in order, without the parts that they do not."""
    needed = {v for v in outs if isinstance(v, Var)}
    kept: list[JaxprEqn] = []
    for eqn in reversed(eqns):
        used = [v in needed for v in eqn.outvars]
        if not any(used) and not eqn.effects:
            continue
        slimmer = _TRIMS.get(eqn.primitive.name)
        if slimmer is not None and not eqn.effects:
            bodies = _with_numbers_within(eqn)
            for slot in slots(eqn):
                bodies = with_body(bodies, slot, trim_closed(slot.of(bodies)), ())
            eqn = slimmer(bodies, used)
        else:
            outvars = [v if u else DropVar(v.aval) for v, u in zip(eqn.outvars, used, strict=True)]
            eqn = eqn.replace(outvars=outvars)
        needed.update(v for v in eqn.invars if isinstance(v, Var))
        kept.append(eqn)
    return kept[::-1]


def _thaw(eqns: Sequence[JaxprEqn]) -> tuple[list[JaxprEqn], dict[Var, Atom]]:
    """Equations whose frozen carries are constants, and what takes the place of these carries' results."""
    replaced: dict[Var, Atom] = {}
    done: list[JaxprEqn] = []
    for eqn in eqns:
        eqn, gone = unfreeze(eqn.replace(invars=[_read(replaced, v) for v in eqn.invars]))
        replaced.update(gone)
        done.append(eqn)
    return done, replaced


def _with_numbers_within(eqn: JaxprEqn) -> JaxprEqn:
    """Operands that are numbers and stay what they are, as numbers in the bodies that read them."""
    for slot in slots(eqn):
        body = slot.of(eqn)
        known = {
            var: atom
            for var, atom in _lasting(eqn, slot)
            if isinstance(atom, Literal) and atom.aval == var.aval
        }
        if known:
            eqns = [e.replace(invars=[_read(known, v) for v in e.invars]) for e in body.jaxpr.eqns]
            outs = [_read(known, v) for v in body.jaxpr.outvars]
            eqn = with_body(eqn, slot, make_closed(body.jaxpr.invars, outs, eqns, _consts(body)), ())
    return eqn


def _lasting(eqn: JaxprEqn, slot: Slot) -> Iterator[tuple[Var, Atom]]:
    """The inputs of a body that are the same in each iteration, with the operands that they are."""
    inputs = slot.of(eqn).jaxpr.invars
    match eqn.primitive.name:
        case "scan":
            operands = Scan.of(eqn.params).split(eqn.invars)[0]
        case "while":
            operands = While.of(eqn.params).split(eqn.invars)[0 if slot == WHILE_CONDITION else 1]
        case _:
            operands = eqn.invars[1:]
    yield from zip(inputs, operands, strict=False)


def steering(eqn: JaxprEqn) -> set[int]:
    """The carries of a while that decide how long it runs (none of a scan's do)."""
    if eqn.primitive.name != "while":
        return set()
    loop = While.of(eqn.params)
    condition, body = loop.condition.jaxpr, loop.body.jaxpr
    read = _live(condition, condition.outvars)[1]
    found = {i for i, v in enumerate(condition.invars[loop.condition_consts :]) if v in read}
    return _close_over(found, body, body.invars[loop.body_consts :], [])


def _live(jaxpr: Jaxpr, outs: Sequence[Atom]) -> tuple[list[JaxprEqn], set[Var]]:
    """The equations that `outs` need, and all variables that these and `outs` read."""
    eqns, read = live_equations(jaxpr, outs)
    return eqns, read | {v for v in outs if isinstance(v, Var)}


def _close_over(live: set[int], body: Jaxpr, carry: Sequence[Var], others: Sequence[Atom]) -> set[int]:
    """The carries that those in `live` and the atoms `others` depend on, over any number of iterations."""
    while True:
        read = _live(body, [*(body.outvars[i] for i in live), *others])[1]
        grown = live | {i for i, v in enumerate(carry) if v in read}
        if grown == live:
            return live
        live = grown


def _select(values: Sequence[T], keep: Iterable[bool]) -> list[T]:
    return [v for v, k in zip(values, keep, strict=True) if k]


def _consts(closed: ClosedJaxpr) -> dict[Var, Any]:
    return dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))


def _slim(
    closed: ClosedJaxpr, outs: Sequence[Atom], keep: Sequence[bool | None]
) -> tuple[ClosedJaxpr, list[bool]]:
    """A body with only the outputs `outs`, and which of its inputs it has still.

    Args:
        keep: for each input whether it stays; None for "if it is read".
    """
    jaxpr = closed.jaxpr
    eqns, read = _live(jaxpr, outs)
    kept = [v in read if k is None else k for v, k in zip(jaxpr.invars, keep, strict=True)]
    consts = {v: c for v, c in _consts(closed).items() if v in read}
    return make_closed(_select(jaxpr.invars, kept), outs, eqns, consts), kept


def _trim_scan(eqn: JaxprEqn, used: Sequence[bool]) -> JaxprEqn:
    scan = Scan.of(eqn.params)
    body = scan.body.jaxpr
    used_carry, used_ys = scan.split_results(used)
    carry, ys = scan.split_results(body.outvars)
    ys = _select(ys, used_ys)
    needed = {i for i, u in enumerate(used_carry) if u}
    live = _close_over(needed, body, scan.split(body.invars)[1], ys)
    keep_carry = [i in live for i in range(scan.carries)]
    keep = [*[None] * scan.consts, *keep_carry, *[None] * (len(body.invars) - scan.consts - scan.carries)]
    slim, kept = _slim(scan.body, [*_select(carry, keep_carry), *ys], keep)
    layout = replace(scan, body=slim, consts=sum(scan.split(kept)[0]), carries=len(live))
    return eqn.replace(
        invars=_select(eqn.invars, kept),
        outvars=_select(eqn.outvars, [*keep_carry, *used_ys]),
        params=layout.params(eqn.params),
    )


def _trim_while(eqn: JaxprEqn, used: Sequence[bool]) -> JaxprEqn:
    loop = While.of(eqn.params)
    body = loop.body.jaxpr
    live = steering(eqn) | {i for i, u in enumerate(used) if u}
    live = _close_over(live, body, body.invars[loop.body_consts :], [])
    keep_carry = [i in live for i in range(len(used))]
    condition, kept = _slim(
        loop.condition, loop.condition.jaxpr.outvars, [*[None] * loop.condition_consts, *keep_carry]
    )
    keep_condition = kept[: loop.condition_consts]
    slim, kept = _slim(
        loop.body, _select(body.outvars, keep_carry), [*[None] * loop.body_consts, *keep_carry]
    )
    keep_body = kept[: loop.body_consts]
    layout = While(condition, slim, sum(keep_condition), sum(keep_body))
    return eqn.replace(
        invars=_select(eqn.invars, [*keep_condition, *keep_body, *keep_carry]),
        outvars=_select(eqn.outvars, keep_carry),
        params=layout.params(eqn.params),
    )


def _trim_cond(eqn: JaxprEqn, used: Sequence[bool]) -> JaxprEqn:
    branches, count = eqn.params["branches"], len(eqn.invars) - 1
    outs = [_select(b.jaxpr.outvars, used) for b in branches]
    reads = [_slim(b, o, [None] * count)[1] for b, o in zip(branches, outs, strict=True)]
    keep = [any(column) for column in zip(*reads, strict=True)]  # what one branch reads, all of them take
    slim = tuple(_slim(b, o, keep)[0] for b, o in zip(branches, outs, strict=True))
    return eqn.replace(
        invars=[eqn.invars[0], *_select(eqn.invars[1:], keep)],
        outvars=_select(eqn.outvars, used),
        params={**eqn.params, "branches": slim},
    )


#: (the equation, for each outvar whether it is used) -> the slimmer equation
_TRIMS: dict[str, Callable[[JaxprEqn, Sequence[bool]], JaxprEqn]] = {
    "scan": _trim_scan,
    "while": _trim_while,
    "cond": _trim_cond,
}


def unfreeze(eqn: JaxprEqn) -> tuple[JaxprEqn, dict[Var, Atom]]:
    """Turn carries that a loop hands on unchanged into constants of the loop.

    Returns:
        The equation without these carries, and for each of their outvars the operand that takes its place.
    """
    if eqn.primitive.name not in {"scan", "while"} or not eqn.outvars:
        return eqn, {}
    slot, first, count = carried(eqn)
    closed = slot.of(eqn)
    body, decisive = closed.jaxpr, steering(eqn)
    frozen = [i for i in range(count) if body.outvars[i] is body.invars[first + i] and i not in decisive]
    if not frozen or len(frozen) == len(eqn.outvars):
        return eqn, {}
    moved = [body.invars[first + i] for i in frozen]
    invars = [*moved, *(v for v in body.invars if v not in set(moved))]
    slimmer = make_closed(invars, _without(body.outvars, frozen), body.eqns, _consts(closed))
    if eqn.primitive.name == "scan":
        scan = Scan.of(eqn.params)
        consts, initial, stacked = scan.split(eqn.invars)
        held = [initial[i] for i in frozen]
        operands = [*held, *consts, *_without(initial, frozen), *stacked]
        changed = replace(scan, body=slimmer, consts=scan.consts + len(held), carries=count - len(held))
        params = changed.params(eqn.params)
    else:
        loop = While.of(eqn.params)
        condition_consts, body_consts, initial = loop.split(eqn.invars)
        held = [initial[i] for i in frozen]
        operands = [*condition_consts, *held, *body_consts, *_without(initial, frozen)]
        test, first = loop.condition.jaxpr, loop.condition_consts
        asked = [*test.invars[:first], *_without(test.invars[first:], frozen)]
        condition = make_closed(asked, test.outvars, test.eqns, _consts(loop.condition))
        params = replace(
            loop, condition=condition, body=slimmer, body_consts=loop.body_consts + len(held)
        ).params(eqn.params)
    replaced = {eqn.outvars[i]: operand for i, operand in zip(frozen, held, strict=True)}
    return eqn.replace(invars=operands, outvars=_without(eqn.outvars, frozen), params=params), replaced


def _without(values: Sequence[T], positions: Collection[int]) -> list[T]:
    return [v for i, v in enumerate(values) if i not in positions]
