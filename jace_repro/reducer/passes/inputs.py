"""Passes on the inputs: one in the place of two, and those that are one number."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import jax
import numpy as np

from jace import ir
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Atom, Candidates, Problem, number

#: Of more inputs only those are one that are equal, all at once.
_FEW = 8


def _inputs_and_values(problem: Problem) -> tuple[int, int]:
    """Where values have become simpler, more of them are equal."""
    return len(problem.args), problem.key.complexity


@reduction_pass("merge inputs", order=115, trigger=_inputs_and_values)
def merge_inputs(problem: Problem) -> Candidates:
    """Have one input where there are two of a type: all that are equal, then any two."""
    current: Problem | None = problem
    while current is not None:
        for instead in _merges(current):
            if (yield (candidate := _with(current, instead, "one input for several"))):
                current = candidate
                break
        else:
            current = None


def _merges(problem: Problem) -> Iterator[Mapping[ir.Var, Atom]]:
    """What stands for what: all that equal an earlier one; then one after the other."""
    inputs = list(zip(problem.jaxpr.invars, problem.args, strict=True))
    pairs = [
        (one, other, _same(value, others))
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


def _same(one: Any, other: Any) -> bool:
    aval: Any = jax.typeof(one)
    if ir.is_key_dtype(aval.dtype):
        one, other = jax.random.key_data(one), jax.random.key_data(other)
    return np.asarray(one).tobytes() == np.asarray(other).tobytes()


def _with(problem: Problem, instead: Mapping[ir.Var, Atom], note: str) -> Problem:
    """The problem with other operands, and outputs, in the place of some inputs."""

    def of(atom: Atom) -> Atom:
        return instead.get(atom, atom) if isinstance(atom, ir.Var) else atom

    eqns = [eqn.replace(invars=list(map(of, eqn.invars))) for eqn in problem.eqns]
    return clean(problem.edited(eqns, list(map(of, problem.jaxpr.outvars)), note))


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
