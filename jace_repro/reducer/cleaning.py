"""Cleaning a problem: nothing is computed, carried or given out in vain."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from jace import ir
from jace_repro.reducer.problem import Atom, Problem

_keeps_dead: ContextVar[bool] = ContextVar("keeps_dead", default=False)
_keeps_outputs: ContextVar[bool] = ContextVar("keeps_outputs", default=False)


@contextlib.contextmanager
def keeping_dead() -> Iterator[None]:
    """What is dead stays meanwhile, until a pass takes it out by itself: it may be what a compiler dies of."""
    with _meanwhile(_keeps_dead):
        yield


@contextlib.contextmanager
def keeping_outputs() -> Iterator[None]:
    """Outputs that no equation computes, or that are there already, stay meanwhile, until a pass drops them."""
    with _meanwhile(_keeps_outputs):
        yield


@contextlib.contextmanager
def _meanwhile(flag: ContextVar[bool]) -> Iterator[None]:
    token = flag.set(True)
    try:
        yield
    finally:
        flag.reset(token)


def computed(problem: Problem) -> list[Atom]:
    """The outputs that equations compute, each once."""
    made = {v for eqn in problem.eqns for v in eqn.outvars}
    return list(dict.fromkeys(v for v in problem.jaxpr.outvars if isinstance(v, ir.Var) and v in made))


def clean(problem: Problem) -> Problem:
    """`problem` without dead equations, dead loop parts and outputs that no equation computes."""
    eqns, outs = problem.eqns, problem.jaxpr.outvars
    if not _keeps_dead.get():
        eqns, outs = ir.trim(eqns, outs)
    edited = problem.edited(eqns, outs, problem.note)
    return edited if _keeps_outputs.get() else edited.edited(eqns, computed(edited), problem.note)
