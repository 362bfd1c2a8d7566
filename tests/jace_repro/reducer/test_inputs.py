"""One input stands for several where that shows the failure, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.passes.inputs import inputs_to_numbers, merge_inputs
from jace_repro.reducer.problem import Problem, well_typed

X, Y = np.float32([1, 2]), np.float32([3, 4])


def merged(
    fun: Callable[..., Any], *args: Any, fails: Callable[[Problem], bool] | None = None
) -> tuple[Problem, int]:
    """What is left, and how many tests that took."""
    asked = []

    def ask(problem: Problem) -> bool:
        asked.append(problem)
        return True if fails is None else fails(problem)

    found = minimize(
        problem_of(fun, *args), at_once(ask), [Pass("inputs", merge_inputs)], max_calls=50
    ).problem
    assert well_typed(found)
    return found, len(asked)


def test_inputs_of_one_type_become_one() -> None:
    found, _ = merged(lambda x, y, z: x * y + z, X, Y, X)
    assert len(found.args) == 1
    assert found.jaxpr.invars * 2 == found.eqns[0].invars


def test_equal_inputs_become_one_all_at_once() -> None:
    many = [X] * 20
    found, tests = merged(lambda *xs: sum(xs[1:], xs[0] * 2), *many)
    assert (len(found.args), tests) == (1, 1)


def test_many_inputs_that_differ_are_not_tried_one_by_one() -> None:
    many = [np.float32([k, 1]) for k in range(20)]
    found, tests = merged(lambda *xs: sum(xs[1:], xs[0] * 2), *many)
    assert (len(found.args), tests) == (20, 0)


def test_inputs_that_must_differ_stay() -> None:
    def differ(problem: Problem) -> bool:
        one, other = problem.eqns[0].invars
        return one is not other

    found, _ = merged(lambda x, y, z: (x / y) + z, X, Y, Y, fails=differ)
    assert len(found.args) == 2


def test_types_and_shapes_keep_inputs_apart() -> None:
    found, tests = merged(lambda x, n, y: (x * 2, n * 2, y * 2), X, np.int32([1, 2]), np.float32([1]))
    assert (len(found.args), tests) == (3, 0)


def test_keys_are_compared_by_their_data() -> None:
    keys = jax.random.key(0), jax.random.key(0)
    found, _ = merged(lambda k, l: (jax.random.bits(k), jax.random.bits(l)), *keys)  # noqa: E741
    assert len(found.args) == 1


def test_an_input_that_is_given_back_goes_with_the_other() -> None:
    found, _ = merged(lambda x, y: (y, jnp.sin(x)), X, X)
    assert len(found.args) == 1


def test_inputs_of_a_number_are_numbers_but_for_one() -> None:
    problem = problem_of(lambda x, y: x * y + x, np.float32(2), np.float32(3))
    found = minimize(
        problem, at_once(lambda _: True), [Pass("numbers", inputs_to_numbers)], max_calls=9
    ).problem
    assert len(found.args) == 1
    literals = [v.val for eqn in found.eqns for v in eqn.invars if isinstance(v, ir.Literal)]
    assert literals == [2, 2]


def test_numbers_of_a_clamp_are_in_its_equation() -> None:
    def clamps(problem: Problem) -> bool:
        return "clamp" in ir.primitives(problem.closed)

    start = problem_of(lambda a, b, c: lax.clamp(a, b, c), *(np.int16(n) for n in (-7, 5, 9)))
    found = minimize(start, at_once(clamps), standard_passes(), max_calls=200).problem
    assert len(found.args) == 1
    assert found.key.elements == 3
