"""The pass that drops operands of equations that take any number of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

from jace import ir
from jace_repro.reducer.passes.common import fewer, last_first, reading, retraced
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem

#: (equation, positions of the operands that stay) -> (the equation on these, what takes the place of its results)
_Kept: TypeAlias = tuple[ir.JaxprEqn, dict[ir.Var, ir.Var]]


def _joined(eqn: ir.JaxprEqn, kept: Sequence[int]) -> _Kept:
    return eqn.replace(invars=[eqn.invars[k] for k in kept]), {}


def _in_pairs(eqn: ir.JaxprEqn, kept: Sequence[int]) -> _Kept:
    """A result goes with its operand: one of the same type, or the first, is read in its place."""
    params = dict(eqn.params)
    if "num_keys" in params:
        params["num_keys"] = max(1, sum(k < params["num_keys"] for k in kept))
    outvars = [eqn.outvars[k] for k in kept]
    instead = {
        v: next((o for o in outvars if o.aval == v.aval), outvars[0]) for v in eqn.outvars if v not in outvars
    }
    return eqn.replace(invars=[eqn.invars[k] for k in kept], outvars=outvars, params=params), instead


#: Primitives that take any number of operands.
VARIADIC: Mapping[str, Callable[[ir.JaxprEqn, Sequence[int]], _Kept]] = {
    "concatenate": _joined,
    "sort": _in_pairs,
    "optimization_barrier": _in_pairs,
}


@reduction_pass("drop operands", order=94)
def drop_operands(problem: Problem) -> Candidates:
    """Fewer arrays are joined, or sorted together."""
    return last_first(problem, _takes_several, _with_fewer_operands)


def _takes_several(eqn: ir.JaxprEqn) -> bool:
    return eqn.primitive.name in VARIADIC and len(eqn.invars) > 1


def _with_fewer_operands(problem: Problem, position: int) -> Generator[Problem, bool, Problem]:
    positions = range(len(problem.eqns[position].invars))
    return fewer(problem, positions, lambda kept: _on(problem, position, kept))


def _on(problem: Problem, position: int, kept: Sequence[int]) -> Problem | None:
    """The problem with these operands of an equation; None when what reads its results does not fit them."""
    eqns = problem.eqns
    eqn = eqns[position]
    eqns[position], instead = VARIADIC[eqn.primitive.name](eqn, kept)

    read = reading(instead)
    after = [e.replace(invars=[read(v) for v in e.invars]) for e in eqns[position + 1 :]]
    note = f"{len(kept)} of {len(eqn.invars)} operands of {eqn.primitive.name}"
    outvars = [read(v) for v in problem.jaxpr.outvars]
    edited = problem.edited([*eqns[: position + 1], *after], outvars, note)
    return retraced(edited, edited.args, {}, note)
