"""Whether a candidate is worth a test: it computes something, is well typed, and ends.

An edit may well turn a `while` into an endless loop, which would cost a whole timeout of the oracle (and XLA cannot be
interrupted).

Loops that matter are run from Python, one iteration at a time and counted; everything else runs compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace_repro.reducer import evaluation
from jace_repro.reducer.problem import Problem, is_trivial, well_typed

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

    def run(self, closed: ir.ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
        if not _has_while(closed):
            if id(closed) not in self.compiled:
                self.compiled[id(closed)] = jax.jit(jaxpr_as_fun(closed))
            return list(self.compiled[id(closed)](*args))
        return ir.evaluate(closed, args, self.equation)

    def equation(self, eqn: ir.JaxprEqn, invals: list[Any]) -> list[Any]:
        inner = any(map(_has_while, ir.inner_jaxprs(eqn)))
        match eqn.primitive.name:
            case "while":
                return ir.run_control(eqn, invals, functools.partial(self.counted, ir.WHILE_BODY.of(eqn)))
            case "scan" if inner:
                return ir.run_control(eqn, list(map(jnp.asarray, invals)), self.run)
            case "cond" if inner:
                return ir.run_control(eqn, invals, self.run)
            case "jit" if inner:
                return self.run(eqn.params["jaxpr"], invals)
            case _:
                return ir.eval_equation(eqn, invals)

    def counted(self, body: ir.ClosedJaxpr, closed: ir.ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
        """Run the condition or the body of a while; each run of the body is an iteration."""
        if closed is body:
            self.left -= 1
            if self.left < 0:
                raise _TooLongError
        return self.run(closed, args)


def _has_while(jaxpr: ir.ClosedJaxpr | ir.Jaxpr) -> bool:
    return any(eqn.primitive.name == "while" for _, eqn in ir.walk(jaxpr))


def iteration_limit(problem: Problem) -> int:
    """How many iterations a smaller version of `problem` may take before it counts as endless."""
    if not _has_while(problem.closed) or not evaluation.may_run():
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
    if not evaluation.may_run():
        return evaluation.ends(problem.closed, problem.args)
    try:
        _Runner(limit).run(problem.closed, problem.args)
    except _TooLongError:
        return False
    except Exception:  # JAX cannot run it: that is for the oracle to say
        return True
    return True


def worth_testing(original: Problem) -> Callable[[Problem], bool]:
    """Whether a smaller version of `original` is worth a test."""
    limit = iteration_limit(original)
    return lambda problem: not is_trivial(problem) and well_typed(problem) and ends(problem, limit)
