"""What combines two elements: it fails alone, or is plainer."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.problem import Problem, well_typed

X = np.array([[1, 4], [3, -2]], np.int32)
NUMBERS = lax.ScatterDimensionNumbers((1,), (0,), (0,))


def smallest(fun: Any, fails: Any) -> Problem:
    found = minimize(problem_of(fun, X), at_once(fails), standard_passes(), max_calls=60).problem
    assert well_typed(found)
    return found


def scattered(x: Any) -> Any:
    return lax.scatter_apply(x, x[:1, :1] * 0, jnp.sign, NUMBERS, update_shape=(1, 2))


def reduced(x: Any) -> Any:
    return lax.reduce(x, np.int32(7), lambda a, b: jnp.sign(a) + b, (0,))


def in_windows(x: Any) -> Any:
    return lax.reduce_window(
        x, np.int32(1), lambda a, b: lax.max(a, b) * lax.sign(b), (2, 1), (1, 1), "VALID"
    )


@pytest.mark.parametrize("fun", [scattered, reduced, in_windows])
def test_a_body_that_fails_alone_is_the_program(fun: Any) -> None:
    found = smallest(lambda x: fun(x + 1) * 2, lambda p: "sign" in ir.primitives(p.closed))
    assert [eqn.primitive.name for eqn in found.eqns] == ["sign"]
    assert found.args == (0,) or np.shape(found.args[0]) == ()


def extreme_and_place(x: Any) -> Any:
    def larger(a: Any, b: Any) -> Any:
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(first, a[0], b[0]), jnp.where(first, a[1], b[1])

    places = lax.broadcasted_iota(np.int32, x.shape, 0)
    return lax.reduce((x, places), (np.int32(5), np.int32(0)), larger, (0,))[0]


def test_a_reduction_that_fails_with_any_body_adds_one_operand() -> None:
    found = smallest(extreme_and_place, lambda p: "reduce" in ir.primitives(p.closed))
    (eqn,) = found.eqns
    assert len(eqn.invars) == 2
    assert [e.primitive.name for e in eqn.params["jaxpr"].jaxpr.eqns] == ["add"]


def test_a_body_that_is_needed_stays() -> None:
    def fails(problem: Problem) -> bool:
        return {"reduce", "gt"} <= ir.primitives(problem.closed).keys()

    found = smallest(extreme_and_place, fails)
    assert "gt" in ir.primitives(found.closed)
