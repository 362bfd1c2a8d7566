"""Cleaning a problem: nothing is computed, carried or given out in vain."""

from __future__ import annotations

from jace import ir
from jace_repro.reducer.problem import Problem


def clean(problem: Problem) -> Problem:
    """`problem` without dead equations, dead loop parts and outputs that no equation computes."""
    eqns, outs = ir.trim(problem.eqns, problem.jaxpr.outvars)
    made = {v for eqn in eqns for v in eqn.outvars}
    kept = [v for v in dict.fromkeys(v for v in outs if isinstance(v, ir.Var)) if v in made]
    return problem.edited(eqns, kept, problem.note)
