"""Entries into the bodies of loops and branches: which body runs on which operands, as plain JAX runs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxpr_as_fun

from jace.ir.control import CONTROL, WHILE_CONDITION, Scan, Slot, While, advanced, control_steps
from jace.ir.evaluation import eval_equation
from jace.jax_internals import jax_jit

#: Iterations of a loop that are looked at.
MAX_ITERATIONS = 10_000


def entries(eqn: JaxprEqn, operands: Sequence[Any]) -> Iterator[tuple[str, ClosedJaxpr, list[Any]]]:
    """(label, body, operands) of each entry in order, while `MAX_ITERATIONS` last.

    None for an equation that is no control flow. A label is "while.body_jaxpr[3]" for the fourth entry into that
    body, and "cond.branches[1]" for a branch.
    """
    if eqn.primitive.name not in CONTROL:
        return
    compiled: dict[Slot, Any] = {}
    counts: Counter[Slot] = Counter()
    # nobody wants the results of the equation, and XLA takes long to compile a stack of a thousand rows
    order = control_steps(eqn, operands, stack=len)
    results: Any = None
    while True:
        try:
            slot, wanted = order.send(results)
        except StopIteration:
            return
        if counts[slot] == MAX_ITERATIONS:
            return
        number = counts[slot] if slot.index is None else slot.index
        yield f"{eqn.primitive.name}.{slot.param}[{number}]", slot.of(eqn), wanted
        counts[slot] += 1
        if eqn.primitive.name == "cond":
            return
        if slot not in compiled:
            compiled[slot] = jax_jit(jaxpr_as_fun(slot.of(eqn)))
        results = compiled[slot](*wanted)


def trip_count(eqn: JaxprEqn, operands: Sequence[Any]) -> int:
    """How often the body of a scan or while runs on these operands."""
    if eqn.primitive.name == "scan":
        return Scan.of(eqn.params).length
    return _run_while(eqn, operands, limit=None)[0]


def entry_values(eqn: JaxprEqn, slot: Slot, operands: Sequence[Any], iteration: int = 0) -> list[Any] | None:
    """The operands of the body in `slot` when it is entered for the `iteration`-th time, computed as compiled loops.

    None when a loop runs less often; the first entry is answered for a while that never runs, too, and that of a
    branch that is not taken: the operands are the same.
    """
    match eqn.primitive.name:
        case "scan":
            return _scan_entry(eqn, operands, iteration)
        case "while":
            trips, carry = _run_while(eqn, operands, limit=iteration)
            condition_consts, body_consts, _ = While.of(eqn.params).split(operands)
            held = condition_consts if slot == WHILE_CONDITION else body_consts
            return [*held, *carry] if trips == iteration else None
        case "cond":
            return list(operands[1:])
        case _:
            return None


def _scan_entry(eqn: JaxprEqn, operands: Sequence[Any], iteration: int) -> list[Any] | None:
    scan = Scan.of(eqn.params)
    if iteration >= scan.length:
        return None
    consts, carry, stacked = scan.split(operands)
    position = scan.positions[iteration]
    if iteration:
        done = slice(position + 1, None) if scan.reverse else slice(0, iteration)
        shorter = eqn.replace(params={**eqn.params, "length": iteration})
        results = eval_equation(shorter, [*consts, *carry, *(jnp.asarray(x)[done] for x in stacked)])
        carry = scan.split_results(results)[0]
    return [*consts, *carry, *(jnp.asarray(x)[position] for x in stacked)]


def _run_while(eqn: JaxprEqn, operands: Sequence[Any], limit: int | None) -> tuple[int, list[Any]]:
    """Run a while for at most `limit` iterations; answer how many were run and the carry after them."""
    loop = While.of(eqn.params)
    condition_consts, body_consts, initial = loop.split(operands)
    condition, body = jaxpr_as_fun(loop.condition), jaxpr_as_fun(loop.body)

    def running(carry: Any) -> Any:
        return jnp.asarray(condition(*condition_consts, *carry)[0])

    def go_on(state: Any) -> Any:
        count, carry = state
        more = running(carry).any()
        return more if limit is None else more & (count < limit)

    def step(state: Any) -> Any:
        count, carry = state
        return count + 1, tuple(advanced(running(carry), body(*body_consts, *carry), carry))

    count, carry = jax.lax.while_loop(go_on, step, (jnp.int32(0), tuple(initial)))
    return int(count), list(carry)
