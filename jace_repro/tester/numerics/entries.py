"""Entries into the bodies of loops and conds: which body runs on which operands, as plain JAX runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxpr_as_fun

#: Iterations of a loop that are looked at.
MAX_ITERATIONS = 10_000

#: One entry into a body: its label, the body, its operands.
Entry = tuple[str, ClosedJaxpr, list[Any]]


def _scan_entries(eqn: JaxprEqn, operands: Sequence[Any]) -> Iterator[Entry]:
    p = eqn.params
    nconsts, ncarry, length = p["num_consts"], p["num_carry"], p["length"]
    consts, carry, xs = (
        operands[:nconsts],
        list(operands[nconsts : nconsts + ncarry]),
        operands[nconsts + ncarry :],
    )
    body = p["jaxpr"]
    step = jax.jit(jaxpr_as_fun(body))
    for count in range(min(length, MAX_ITERATIONS)):
        position = length - 1 - count if p["reverse"] else count
        args = [*consts, *carry, *(x[position] for x in xs)]
        yield f"scan.jaxpr[{count}]", body, args
        carry = step(*args)[:ncarry]


def _while_entries(eqn: JaxprEqn, operands: Sequence[Any]) -> Iterator[Entry]:
    p = eqn.params
    nc, nb = p["cond_nconsts"], p["body_nconsts"]
    cond_consts, body_consts, carry = operands[:nc], operands[nc : nc + nb], list(operands[nc + nb :])
    proceed, step = jax.jit(jaxpr_as_fun(p["cond_jaxpr"])), jax.jit(jaxpr_as_fun(p["body_jaxpr"]))
    for count in range(MAX_ITERATIONS):
        yield f"while.cond_jaxpr[{count}]", p["cond_jaxpr"], [*cond_consts, *carry]
        again = np.asarray(proceed(*cond_consts, *carry)[0])
        if not again.any():
            return
        yield f"while.body_jaxpr[{count}]", p["body_jaxpr"], [*body_consts, *carry]
        after = step(*body_consts, *carry)
        carry = advanced(again, after, carry)


def advanced(running: Any, after: Sequence[Any], before: Sequence[Any]) -> list[Any]:
    """The state of a while after a step, NumPy's or JAX's arrays: rows of a batch that have ended stay as they were.

    Args:
        running: the predicate, of shape () or of the leading axes of the state.
        after, before: the state.
    """
    if not np.ndim(running):
        return list(after)
    known = all(isinstance(v, np.ndarray | np.generic) for v in (running, *after, *before))
    where: Any = np.where if known else jax.numpy.where
    return [
        where(running.reshape(running.shape + (1,) * (np.ndim(new) - running.ndim)), new, old)
        for new, old in zip(after, before, strict=True)
    ]


def _cond_entries(eqn: JaxprEqn, operands: Sequence[Any]) -> Iterator[Entry]:
    branches = eqn.params["branches"]
    taken = int(np.clip(int(operands[0]), 0, len(branches) - 1))
    yield f"cond.branches[{taken}]", branches[taken], list(operands[1:])


ENTRIES: Mapping[str, Callable[[JaxprEqn, Sequence[Any]], Iterator[Entry]]] = {
    "scan": _scan_entries,
    "while": _while_entries,
    "cond": _cond_entries,
}
