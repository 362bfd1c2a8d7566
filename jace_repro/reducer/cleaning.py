"""Cleaning a problem: nothing is computed, carried or given out in vain."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from jace import ir
from jace_repro.reducer.problem import Problem

_keeps_dead: ContextVar[bool] = ContextVar("keeps_dead", default=False)


@contextlib.contextmanager
def keeping_dead() -> Iterator[None]:
    """What is dead stays meanwhile, until a pass takes it out by itself: it may be what a compiler dies of."""
    token = _keeps_dead.set(True)
    try:
        yield
    finally:
        _keeps_dead.reset(token)


def clean(problem: Problem) -> Problem:
    """`problem` without dead equations, dead loop parts and outputs that no equation computes."""
    eqns, outs = problem.eqns, problem.jaxpr.outvars
    if not _keeps_dead.get():
        eqns, outs = ir.trim(eqns, outs)
    made = {v for eqn in eqns for v in eqn.outvars}
    kept = [v for v in dict.fromkeys(v for v in outs if isinstance(v, ir.Var)) if v in made]
    return problem.edited(eqns, kept, problem.note)
