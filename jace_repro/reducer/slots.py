"""Control flow equations as data: their bodies, the values that enter a body, and what a body may be changed
to.

Three primitives hold bodies after inlining: `scan`, `while`, `cond`. Everything that depends on how one of
them lays out its operands is in this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace.ir.dead import live_equations
from jace_repro.reducer.problem import Atom, Problem, make_problem, normalise

CONTROL = frozenset({"scan", "while", "cond"})


@dataclass(frozen=True)
class Slot:
    """Where a body sits in an equation: a parameter, and an index when the parameter is a tuple of bodies."""

    param: str
    index: int | None = None

    def of(self, eqn: ir.JaxprEqn) -> ir.ClosedJaxpr:
        """The body in `eqn`."""
        value = eqn.params[self.param]
        return value if self.index is None else value[self.index]


def slots(eqn: ir.JaxprEqn) -> list[Slot]:
    """The bodies of a control flow equation, a while's condition among them."""
    match eqn.primitive.name:
        case "scan":
            return [Slot("jaxpr")]
        case "while":
            return [Slot("body_jaxpr"), Slot("cond_jaxpr")]
        case "cond":
            return [Slot("branches", i) for i in range(len(eqn.params["branches"]))]
        case _:
            return []


# -----------------------------------------------------------------------------------------------------------
# Values that enter a body


def trip_count(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> int:
    """How often the body of a scan or while runs on `invals`."""
    if eqn.primitive.name == "scan":
        return int(eqn.params["length"])
    return _run_while(eqn, invals, limit=None)[0]


def entry_values(eqn: ir.JaxprEqn, slot: Slot, invals: Sequence[Any], iteration: int = 0) -> list[Any] | None:
    """The operands of the body in `slot` when it is entered for the `iteration`-th time.

    None when a loop runs less often; the first entry is answered for a while that never runs, too.
    """
    match eqn.primitive.name:
        case "scan":
            return _scan_entry(eqn, invals, iteration)
        case "while":
            trips, carry = _run_while(eqn, invals, limit=iteration)
            first = eqn.params["cond_nconsts"]
            held = invals[first : first + eqn.params["body_nconsts"]]
            if slot.param == "cond_jaxpr":
                held = invals[:first]
            return [*held, *carry] if trips == iteration else None
        case "cond":
            return list(invals[1:])  # also those of a branch that is not taken: the operands are the same
        case _:
            return None


def taken_branch(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> int:
    """The branch that a cond takes (its index is clamped)."""
    return int(np.clip(int(invals[0]), 0, len(eqn.params["branches"]) - 1))


def _scan_entry(eqn: ir.JaxprEqn, invals: Sequence[Any], iteration: int) -> list[Any] | None:
    params = eqn.params
    length, nconsts, ncarry = params["length"], params["num_consts"], params["num_carry"]
    if iteration >= length:
        return None
    consts, carry, xs = invals[:nconsts], invals[nconsts : nconsts + ncarry], invals[nconsts + ncarry :]
    position = length - 1 - iteration if params["reverse"] else iteration
    if iteration:
        done = slice(position + 1, None) if params["reverse"] else slice(0, iteration)
        shorter = eqn.replace(params={**params, "length": iteration})
        carry = ir.eval_equation(shorter, [*consts, *carry, *(jnp.asarray(x)[done] for x in xs)])[:ncarry]
    return [*consts, *carry, *(jnp.asarray(x)[position] for x in xs)]


def _run_while(eqn: ir.JaxprEqn, invals: Sequence[Any], limit: int | None) -> tuple[int, list[Any]]:
    """Run a while for at most `limit` iterations; answer how many were run and the carry after them."""
    nc, nb = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
    cond_consts, body_consts, init = invals[:nc], invals[nc : nc + nb], list(invals[nc + nb :])
    condition = jaxpr_as_fun(eqn.params["cond_jaxpr"])
    body = jaxpr_as_fun(eqn.params["body_jaxpr"])

    def go_on(state: Any) -> Any:
        count, carry = state
        more = condition(*cond_consts, *carry)[0]
        more = jnp.any(more)
        return more if limit is None else more & (count < limit)

    def step(state: Any) -> Any:
        count, carry = state
        return count + 1, tuple(body(*body_consts, *carry))

    count, carry = jax.lax.while_loop(go_on, step, (jnp.int32(0), tuple(init)))
    return int(count), list(carry)


def body_problem(
    eqn: ir.JaxprEqn, slot: Slot, invals: Sequence[Any], iteration: int, note: str
) -> Problem | None:
    """The body in `slot` as a program of its own, on the operands of one iteration."""
    values = entry_values(eqn, slot, invals, iteration)
    return None if values is None else normalise(slot.of(eqn), values, note)


# -----------------------------------------------------------------------------------------------------------
# Changing a body


def with_body(eqn: ir.JaxprEqn, slot: Slot, body: ir.ClosedJaxpr, extra: Sequence[ir.Var]) -> ir.JaxprEqn:
    """`eqn` with the body in `slot` replaced by one whose first `len(extra)` invars are new: operands
    `extra`.
    """
    params, invars, n = dict(eqn.params), list(eqn.invars), len(extra)
    match eqn.primitive.name:
        case "scan":
            params.update(jaxpr=body, num_consts=params["num_consts"] + n)
            invars = [*extra, *invars]
        case "while" if slot.param == "cond_jaxpr":
            params.update(cond_jaxpr=body, cond_nconsts=params["cond_nconsts"] + n)
            invars = [*extra, *invars]
        case "while":
            at = params["cond_nconsts"]
            params.update(body_jaxpr=body, body_nconsts=params["body_nconsts"] + n)
            invars = [*invars[:at], *extra, *invars[at:]]
        case "cond":
            branches = [_pad_inputs(b, extra) for b in params["branches"]]
            branches[slot.index or 0] = body
            params["branches"] = tuple(branches)
            invars = [invars[0], *extra, *invars[1:]]
    return eqn.replace(invars=invars, params=params)


def _pad_inputs(branch: ir.ClosedJaxpr, extra: Sequence[ir.Var]) -> ir.ClosedJaxpr:
    jaxpr = branch.jaxpr
    return ir.make_closed(
        [*(ir.Var(v.aval) for v in extra), *jaxpr.invars],
        jaxpr.outvars,
        jaxpr.eqns,
        dict(zip(jaxpr.constvars, branch.consts, strict=True)),
    )


def carried(eqn: ir.JaxprEqn) -> tuple[Slot, int, int]:
    """(slot, first carry position among the body's invars, number of carries) of a scan or while."""
    if eqn.primitive.name == "scan":
        return Slot("jaxpr"), int(eqn.params["num_consts"]), int(eqn.params["num_carry"])
    first = int(eqn.params["body_nconsts"])
    return Slot("body_jaxpr"), first, len(eqn.params["body_jaxpr"].jaxpr.outvars)


def steering(eqn: ir.JaxprEqn) -> set[int]:
    """The carries of a while that decide how long it runs (none of a scan's do)."""
    if eqn.primitive.name != "while":
        return set()
    condition = eqn.params["cond_jaxpr"].jaxpr
    body = eqn.params["body_jaxpr"].jaxpr
    _, read = live_equations(condition, condition.outvars)
    read.update(v for v in condition.outvars if isinstance(v, ir.Var))
    nc, nb = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
    found = {i for i, v in enumerate(condition.invars[nc:]) if v in read}
    return _close_over(found, body, body.invars[nb:], [])


def _close_over(
    live: set[int], body: ir.Jaxpr, carry_invars: Sequence[ir.Var], others: Sequence[Atom]
) -> set[int]:
    """What the carries in `live` and the atoms `others` depend on, over any number of iterations."""
    while True:
        wanted = [*(body.outvars[i] for i in live), *others]
        _, read = live_equations(body, wanted)
        read.update(v for v in wanted if isinstance(v, ir.Var))
        grown = live | {i for i, v in enumerate(carry_invars) if v in read}
        if grown == live:
            return live
        live = grown


# -----------------------------------------------------------------------------------------------------------
# Removing what a control flow equation computes or reads in vain

#: (the equation, for each outvar whether it is used) -> the slimmer equation
Trim = Callable[[ir.JaxprEqn, Sequence[bool]], ir.JaxprEqn]


def _select(values: Sequence[Any], keep: Iterator[bool] | Sequence[bool]) -> list[Any]:
    return [v for v, k in zip(values, keep, strict=True) if k]


def _trim_scan(eqn: ir.JaxprEqn, used: Sequence[bool]) -> ir.JaxprEqn:
    params, closed = eqn.params, eqn.params["jaxpr"]
    body, nconsts, ncarry = closed.jaxpr, params["num_consts"], params["num_carry"]
    ys = _select(body.outvars[ncarry:], used[ncarry:])
    live = {i for i in range(ncarry) if used[i]}
    live = _close_over(live, body, body.invars[nconsts : nconsts + ncarry], ys)
    outs = [*(body.outvars[i] for i in sorted(live)), *ys]
    eqns, read = live_equations(body, outs)
    read.update(v for v in outs if isinstance(v, ir.Var))
    keep = [v in read for v in body.invars]
    for i in range(ncarry):
        keep[nconsts + i] = i in live
    used = [*(i in live for i in range(ncarry)), *used[ncarry:]]
    consts = {v: c for v, c in zip(body.constvars, closed.consts, strict=True) if v in read}
    new = ir.make_closed(_select(body.invars, keep), outs, eqns, consts)
    changed = {"jaxpr": new, "num_consts": sum(keep[:nconsts]), "num_carry": len(live)}
    return eqn.replace(
        invars=_select(eqn.invars, keep), outvars=_select(eqn.outvars, used), params={**params, **changed}
    )


def _trim_while(eqn: ir.JaxprEqn, used: Sequence[bool]) -> ir.JaxprEqn:
    params = eqn.params
    nc, nb = params["cond_nconsts"], params["body_nconsts"]
    condition, body = params["cond_jaxpr"], params["body_jaxpr"]
    live = steering(eqn) | {i for i, u in enumerate(used) if u}
    live = _close_over(live, body.jaxpr, body.jaxpr.invars[nb:], [])
    keep_carry = [i in live for i in range(len(used))]
    new_cond, keep_cc = _slim(condition, condition.jaxpr.outvars, nc, keep_carry)
    new_body, keep_bc = _slim(body, _select(body.jaxpr.outvars, keep_carry), nb, keep_carry)
    changed = {
        "cond_jaxpr": new_cond,
        "body_jaxpr": new_body,
        "cond_nconsts": sum(keep_cc),
        "body_nconsts": sum(keep_bc),
    }
    return eqn.replace(
        invars=_select(eqn.invars, [*keep_cc, *keep_bc, *keep_carry]),
        outvars=_select(eqn.outvars, keep_carry),
        params={**params, **changed},
    )


def _slim(
    closed: ir.ClosedJaxpr, outs: Sequence[Atom], nconsts: int, keep_carry: Sequence[bool]
) -> tuple[ir.ClosedJaxpr, list[bool]]:
    """A loop body with only the outputs `outs` and the carries in `keep_carry`; and which consts stay."""
    jaxpr = closed.jaxpr
    eqns, read = live_equations(jaxpr, outs)
    read.update(v for v in outs if isinstance(v, ir.Var))
    keep_consts = [v in read for v in jaxpr.invars[:nconsts]]
    consts = {v: c for v, c in zip(jaxpr.constvars, closed.consts, strict=True) if v in read}
    invars = _select(jaxpr.invars, [*keep_consts, *keep_carry])
    return ir.make_closed(invars, outs, eqns, consts), keep_consts


def _trim_cond(eqn: ir.JaxprEqn, used: Sequence[bool]) -> ir.JaxprEqn:
    count = len(eqn.invars) - 1
    outs = [_select(b.jaxpr.outvars, used) for b in eqn.params["branches"]]
    slim = [_slim(b, o, count, ()) for b, o in zip(eqn.params["branches"], outs, strict=True)]
    keep = [any(reads[i] for _, reads in slim) for i in range(count)]
    branches = tuple(
        ir.make_closed(
            _select(old.jaxpr.invars, keep),
            new.jaxpr.outvars,
            new.jaxpr.eqns,
            dict(zip(new.jaxpr.constvars, new.consts, strict=True)),
        )
        for old, (new, _) in zip(eqn.params["branches"], slim, strict=True)
    )
    return eqn.replace(
        invars=[eqn.invars[0], *_select(eqn.invars[1:], keep)],
        outvars=_select(eqn.outvars, used),
        params={**eqn.params, "branches": branches},
    )


TRIMS: dict[str, Trim] = {"scan": _trim_scan, "while": _trim_while, "cond": _trim_cond}


def unfreeze(eqn: ir.JaxprEqn) -> tuple[ir.JaxprEqn, dict[ir.Var, Atom]]:
    """Turn carries that a loop hands on unchanged into constants of the loop.

    Returns:
        The equation without these carries, and for each of their outvars the operand that takes its place.
    """
    if eqn.primitive.name not in {"scan", "while"} or not eqn.outvars:
        return eqn, {}
    slot, first, count = carried(eqn)
    body = slot.of(eqn).jaxpr
    frozen = [i for i in range(count) if body.outvars[i] is body.invars[first + i]]
    frozen = [i for i in frozen if i not in steering(eqn)]
    if not frozen or len(frozen) == len(eqn.outvars):
        return eqn, {}
    operand_at = len(eqn.invars) - count if eqn.primitive.name == "while" else first
    operands = [eqn.invars[operand_at + i] for i in frozen]
    replaced = {eqn.outvars[i]: op for i, op in zip(frozen, operands, strict=True)}
    moved = [body.invars[first + i] for i in frozen]
    rest_in = [v for v in body.invars if v not in set(moved)]
    rest_out = [v for i, v in enumerate(body.outvars) if i not in frozen]
    new = ir.make_closed(
        [*moved, *rest_in],
        rest_out,
        body.eqns,
        dict(zip(body.constvars, slot.of(eqn).consts, strict=True)),
    )
    params, n = dict(eqn.params), len(frozen)
    gone = {operand_at + i for i in frozen}
    rest_ops = [v for i, v in enumerate(eqn.invars) if i not in gone]
    if eqn.primitive.name == "scan":
        params.update(jaxpr=new, num_consts=first + n, num_carry=count - n)
        invars = [*operands, *rest_ops]
    else:
        condition = params["cond_jaxpr"]
        kept = [
            v for i, v in enumerate(condition.jaxpr.invars) if i - params["cond_nconsts"] not in set(frozen)
        ]
        consts = dict(zip(condition.jaxpr.constvars, condition.consts, strict=True))
        new_cond = ir.make_closed(kept, condition.jaxpr.outvars, condition.jaxpr.eqns, consts)
        params.update(cond_jaxpr=new_cond, body_jaxpr=new, body_nconsts=first + n)
        at = params["cond_nconsts"]
        invars = [*rest_ops[:at], *operands, *rest_ops[at:]]
    outvars = [v for i, v in enumerate(eqn.outvars) if i not in frozen]
    return eqn.replace(invars=invars, outvars=outvars, params=params), replaced


# -----------------------------------------------------------------------------------------------------------
# Cleaning a whole program


def clean(problem: Problem) -> Problem:
    """`problem` without dead equations, dead loop parts and outputs that no equation computes."""
    eqns, outs = _clean_eqns(problem.eqns, list(problem.jaxpr.outvars))
    made = {v for eqn in eqns for v in eqn.outvars}
    kept = [v for v in dict.fromkeys(v for v in outs if isinstance(v, ir.Var)) if v in made]
    consts = zip(problem.jaxpr.constvars, problem.closed.consts, strict=True)
    const_vars, const_vals = zip(*consts, strict=True) if problem.closed.consts else ((), ())
    invars = [*const_vars, *problem.jaxpr.invars]
    return make_problem(invars, [*const_vals, *problem.args], eqns, kept, problem.note)


def _clean_closed(closed: ir.ClosedJaxpr) -> ir.ClosedJaxpr:
    jaxpr = closed.jaxpr
    eqns, outs = _clean_eqns(list(jaxpr.eqns), list(jaxpr.outvars))
    return ir.make_closed(jaxpr.invars, outs, eqns, dict(zip(jaxpr.constvars, closed.consts, strict=True)))


def _clean_eqns(eqns: list[ir.JaxprEqn], outs: list[Atom]) -> tuple[list[ir.JaxprEqn], list[Atom]]:
    """Trim backwards, then replace the outputs of frozen carries forwards; once more when that freed
    something.
    """
    while True:
        needed = {v for v in outs if isinstance(v, ir.Var)}
        kept: list[ir.JaxprEqn] = []
        for eqn in reversed(eqns):
            used = [v in needed for v in eqn.outvars]
            if not any(used) and not eqn.effects:
                continue
            trim = TRIMS.get(eqn.primitive.name)
            if trim is not None and not eqn.effects:
                bodies = eqn
                for slot in slots(eqn):
                    bodies = with_body(bodies, slot, _clean_closed(slot.of(bodies)), ())
                eqn = trim(bodies, used)
            else:
                outvars = [v if u else ir.DropVar(v.aval) for v, u in zip(eqn.outvars, used, strict=True)]
                eqn = eqn.replace(outvars=outvars)
            needed.update(v for v in eqn.invars if isinstance(v, ir.Var))
            kept.append(eqn)
        replaced: dict[ir.Var, Atom] = {}
        eqns = []
        for eqn in reversed(kept):
            invars = [replaced.get(v, v) if isinstance(v, ir.Var) else v for v in eqn.invars]
            new, gone = unfreeze(eqn.replace(invars=invars))
            replaced.update(gone)
            eqns.append(new)
        if not replaced:
            return eqns, outs
        outs = [replaced.get(v, v) if isinstance(v, ir.Var) else v for v in outs]
