"""Whether a candidate ends: an edit may well turn a `while` into an endless loop, which would cost a whole
timeout of the oracle (and XLA cannot be interrupted).

Loops that matter are run from Python, one iteration at a time and counted; everything else runs compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace_repro.reducer.problem import Atom, Problem
from jace_repro.reducer.slots import taken_branch

#: Iterations that any program is granted, and how many times the iterations of the original program besides.
GRANTED = 500
SHARE = 2
#: Where counting the iterations of the original program stops.
MOST = 100_000


class _TooLongError(Exception):
    """The limit is reached."""


class _Runner:
    def __init__(self, limit: int) -> None:
        self.left = limit
        self.compiled: dict[int, Any] = {}

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooLongError

    def run(self, closed: ir.ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
        if not _has_while(closed):
            if id(closed) not in self.compiled:
                self.compiled[id(closed)] = jax.jit(jaxpr_as_fun(closed))
            return list(self.compiled[id(closed)](*args))
        env: dict[ir.Var, Any] = dict(zip(closed.jaxpr.invars, args, strict=True))
        env.update(zip(closed.jaxpr.constvars, closed.consts, strict=True))

        def read(atom: Atom) -> Any:
            return atom.val if isinstance(atom, ir.Literal) else env[atom]

        for eqn in closed.jaxpr.eqns:
            env.update(zip(eqn.outvars, self.equation(eqn, [read(v) for v in eqn.invars]), strict=True))
        return [read(v) for v in closed.jaxpr.outvars]

    def equation(self, eqn: ir.JaxprEqn, invals: list[Any]) -> list[Any]:
        params = eqn.params
        inner = any(_has_while(sub) for subs in ir.sub_jaxprs(eqn).values() for sub in subs)
        match eqn.primitive.name:
            case "while":
                return self.loop(eqn, invals)
            case "scan" if inner:
                return self.scan(eqn, invals)
            case "cond" if inner:
                return self.run(params["branches"][taken_branch(eqn, invals)], invals[1:])
            case "jit" if inner:
                return self.run(params["jaxpr"], invals)
            case _:
                return ir.eval_equation(eqn, invals)

    def loop(self, eqn: ir.JaxprEqn, invals: list[Any]) -> list[Any]:
        nc, nb = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
        carry = invals[nc + nb :]
        while True:
            [more] = self.run(eqn.params["cond_jaxpr"], [*invals[:nc], *carry])
            if not jnp.any(more):
                return carry
            self.step()
            after = self.run(eqn.params["body_jaxpr"], [*invals[nc : nc + nb], *carry])
            carry = [_where(more, new, old) for new, old in zip(after, carry, strict=True)]

    def scan(self, eqn: ir.JaxprEqn, invals: list[Any]) -> list[Any]:
        params = eqn.params
        nconsts, ncarry = params["num_consts"], params["num_carry"]
        consts, carry, xs = invals[:nconsts], invals[nconsts : nconsts + ncarry], invals[nconsts + ncarry :]
        rows: list[list[Any]] = []
        order = range(params["length"])
        for i in reversed(order) if params["reverse"] else order:
            outs = self.run(params["jaxpr"], [*consts, *carry, *(jnp.asarray(x)[i] for x in xs)])
            carry = outs[:ncarry]
            rows.append(outs[ncarry:])
        rows = rows[::-1] if params["reverse"] else rows
        return [*carry, *(jnp.stack(column) for column in zip(*rows, strict=True))]


def _has_while(jaxpr: ir.ClosedJaxpr | ir.Jaxpr) -> bool:
    return any(eqn.primitive.name == "while" for _, eqn in ir.walk(jaxpr))


def _where(mask: Any, new: Any, old: Any) -> Any:
    """In a batched loop only the rows that still run advance."""
    rank = jnp.ndim(mask)
    if rank == 0:
        return new
    return jnp.where(jnp.reshape(mask, jnp.shape(mask) + (1,) * (jnp.ndim(new) - rank)), new, old)


def iteration_limit(problem: Problem) -> int:
    """How many iterations a smaller version of `problem` may take before it counts as endless."""
    if not _has_while(problem.closed):
        return GRANTED
    runner = _Runner(MOST)
    try:
        runner.run(problem.closed, problem.args)
    except Exception:  # it runs too long, or JAX itself cannot run it: no hint from there
        return MOST
    return GRANTED + SHARE * (MOST - runner.left)


def ends(problem: Problem, limit: int) -> bool:
    """Whether `problem` ends within `limit` iterations of its while loops."""
    if not _has_while(problem.closed):
        return True
    try:
        _Runner(limit).run(problem.closed, problem.args)
    except _TooLongError:
        return False
    except Exception:  # JAX cannot run it: that is for the oracle to say
        return True
    return True
