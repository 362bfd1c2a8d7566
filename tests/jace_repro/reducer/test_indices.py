"""The pass that makes an axis shorter together with what indexes it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.passes.common import operand_values
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


def test_one_index_comes_nearer_where_others_index_other_axes() -> None:
    def at_different_places(problem: Problem) -> bool:
        scatters = [eqn for eqn in problem.eqns if eqn.primitive.name == "scatter"]
        if len(scatters) != 1:
            return False
        operand, indices, _ = operand_values(problem, scatters[0]) or ()
        at = np.ravel(indices)
        sizes = [
            operand.shape[axis]
            for axis in scatters[0].params["dimension_numbers"].scatter_dims_to_operand_dims
        ]
        return (
            len(set(at)) > 1 and all(0 <= k < size for k, size in zip(at, sizes, strict=True)) and at[0] > 0
        )

    def written(x: jax.Array, at: jax.Array) -> jax.Array:
        numbers = lax.ScatterDimensionNumbers((), (0, 1, 2), (0, 1, 2))
        return lax.scatter(x, at, np.float32(1), numbers, mode="clip")

    start = problem_of(written, np.zeros((3, 3, 2), np.float32), np.array([2, 2, 1], np.int32))
    found = minimize(start, at_once(at_different_places), standard_passes(), max_calls=300)
    assert found.stopped == "fixpoint"
    assert found.problem.args[0].size == 2


def test_windows_are_two_elements_and_their_padding_one() -> None:
    def pads(problem: Problem) -> bool:
        windows = [eqn for eqn in problem.eqns if eqn.primitive.name == "reduce_window_sum"]
        return any(
            max(eqn.params["window_dimensions"], default=1) > 1
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
