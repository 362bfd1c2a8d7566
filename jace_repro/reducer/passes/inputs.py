"""Passes on the inputs: one in the place of two, and those that are one number."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from jace import ir
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import reading, until_none_helps
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Atom, Candidates, Problem, host, number

#: Of more inputs only those are one that are equal, all at once.
_FEW = 8


def _inputs_and_values(problem: Problem) -> tuple[int, int]:
    """Where values have become simpler, more of them are equal."""
    return len(problem.args), problem.key.complexity


@reduction_pass("merge inputs", order=115, trigger=_inputs_and_values)
def merge_inputs(problem: Problem) -> Candidates:
    """Have one input where there are two of a type: all that are equal, then any two."""
    return until_none_helps(problem, _steps)


def _steps(problem: Problem) -> Iterator[Problem]:
    return (_with(problem, instead, "one input for several") for instead in _merges(problem))


def _merges(problem: Problem) -> Iterator[Mapping[ir.Var, Atom]]:
    """What stands for what: all that equal an earlier one; then one after the other."""
    inputs = list(zip(problem.jaxpr.invars, problem.args, strict=True))
    pairs = [
        (one, other, host(value).tobytes() == host(others).tobytes())
        for (one, value), (other, others) in itertools.combinations(inputs, 2)
        if one.aval == other.aval
    ]
    equal: dict[ir.Var, Atom] = {}
    for one, other, same in pairs:
        if same and one not in equal:
            equal.setdefault(other, one)
    if len(equal) > 1:
        yield equal
    if len(inputs) <= _FEW:
        yield from ({other: one} for one, other, _ in sorted(pairs, key=lambda pair: not pair[2]))


def _with(problem: Problem, instead: Mapping[ir.Var, Atom], note: str) -> Problem:
    """The problem with other operands, and outputs, in the place of some inputs."""
    read = reading(instead)
    eqns = [eqn.replace(invars=list(map(read, eqn.invars))) for eqn in problem.eqns]
    return clean(problem.edited(eqns, list(map(read, problem.jaxpr.outvars)), note))


@reduction_pass("inputs to numbers", order=125, trigger=sizes_left)
def inputs_to_numbers(problem: Problem) -> Candidates:
    """Inputs of a single number are numbers in the equations, but for one."""
    current = problem
    for var, arg in zip(problem.jaxpr.invars, problem.args, strict=True):
        aval: Any = var.aval
        if len(current.args) > 1 and aval.shape == () and not ir.is_key_dtype(aval.dtype):
            candidate = _with(current, {var: number(arg, aval)}, f"an input is {arg}")
            if (yield candidate):
                current = candidate
