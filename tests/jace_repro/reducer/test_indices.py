"""Passes that make an axis shorter with what indexes it, and that write inputs of one number into the equations."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.problem import Problem


def test_what_the_last_index_names_stays_the_last() -> None:
    def touches_the_last(problem: Problem) -> bool:
        if "scatter" not in ir.primitives(problem.closed):
            return False
        (eqn,) = [eqn for eqn in problem.eqns if eqn.primitive.name == "scatter"]
        operand, indices, _ = (problem.values.get(v, getattr(v, "val", None)) for v in eqn.invars)
        return operand.shape[0] > 1 and bool((np.asarray(indices) == operand.shape[0] - 1).any())

    x, i = np.zeros((7, 3), np.float32), np.array([2, 6, 0], np.int32)
    start = problem_of(lambda x, i: jnp.sin(x).at[i].set(1.0, mode="drop"), x, i)
    found = minimize(start, at_once(touches_the_last), standard_passes(), max_calls=200)
    assert found.stopped == "fixpoint"
    assert max(np.shape(found.problem.args[0])) == 2
    assert found.problem.key.elements <= 8


def test_inputs_of_one_number_are_numbers_but_for_one() -> None:
    def clamps(problem: Problem) -> bool:
        return "clamp" in ir.primitives(problem.closed)

    start = problem_of(lambda a, b, c: lax.clamp(a, b, c), *(np.int16(n) for n in (-7, 5, 9)))
    found = minimize(start, at_once(clamps), standard_passes(), max_calls=200).problem
    assert len(found.args) == 1
    assert found.key.elements == 3


def test_windows_are_two_elements_and_their_padding_one() -> None:
    def pads(problem: Problem) -> bool:
        windows = [eqn for eqn in problem.eqns if eqn.primitive.name == "reduce_window_sum"]
        return any(
            max(eqn.params["window_dimensions"]) > 1
            and np.any(eqn.params["padding"])
            and eqn.outvars[0].aval.size
            for eqn in windows
        )

    def windowed(x: object) -> object:
        return lax.reduce_window(x, 0.0, lax.add, (17,), (2,), ((7, 8),))

    start = problem_of(windowed, np.ones(4, np.float32))
    found = minimize(start, at_once(pads), standard_passes(), max_calls=200).problem
    (eqn,) = found.eqns
    assert eqn.params["window_dimensions"] == (2,)
    assert eqn.params["padding"] in (((1, 0),), ((0, 1),))
    assert found.args[0].shape == (1,)
