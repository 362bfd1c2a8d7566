"""The pass that makes parameters plainer: no padding, strides of 1, one element of the largest."""

from __future__ import annotations

from jace_repro.reducer.ahead import Candidates
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.parameters import plainer
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Problem
from jace_repro.reducer.retrace import retrace


@reduction_pass("simplify parameters", order=105, trigger=sizes_left)
def simplify_parameters(problem: Problem) -> Candidates:
    """The parameters of top-level equations, one by one; what follows is traced anew."""
    current = problem
    position = 0
    while position < len(current.eqns):
        for name, params in plainer(current.eqns[position]):
            candidate = _with(current, position, params, name)
            if candidate is not None and (yield candidate):
                current = candidate
                break
        else:
            position += 1


def _with(problem: Problem, position: int, params: dict[str, object], name: str) -> Problem | None:
    """The problem with other parameters of one equation; None when the others do not fit that."""
    eqns = problem.eqns
    note = f"{name} of {eqns[position].primitive.name}"
    eqns[position] = eqns[position].replace(params=params)
    edited = problem.edited(eqns, problem.jaxpr.outvars, note)
    made = retrace(edited, edited.args, {}, note)
    return None if made is None else clean(made)
