"""Plainer parameters, and sizes that keep their proportion where windows have strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.interpreters import ad
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.parameters import irregularity, plainer
from jace_repro.reducer.passes.parameters import plainer_primitives, simplify_parameters
from jace_repro.reducer.passes.shapes import shrink_axes
from jace_repro.reducer.problem import Problem, well_typed


def simplified(
    fun: Callable[..., Any], *args: Any, run: Any = simplify_parameters, fails: Any = lambda _: True
) -> Problem:
    """What a pass makes of a program, keeping all of its equations."""
    problem = clean(problem_of(fun, *args))
    expected = ir.primitives(problem.closed)

    def oracle(candidate: Problem) -> bool:
        computes = all(v.aval.size for eqn in candidate.eqns for v in eqn.outvars)
        return computes and ir.primitives(candidate.closed) == expected and fails(candidate)

    found = minimize(problem, at_once(oracle), [Pass("one", run)], max_calls=100).problem
    assert well_typed(found)
    return found


X = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)


@pytest.mark.parametrize(
    ("fun", "name", "plainest"),
    [
        (lambda x: lax.top_k(x.reshape(16), 5), "k", 1),
        (
            lambda x: jnp.sin(lax.pad(x, 0.0, ((0, 0, 0), (2, 1, 0), (0, 0, 3), (0, 0, 0)))),
            "padding_config",
            0,
        ),
        (lambda x: lax.cumsum(x, 1, reverse=True), "reverse", False),
        (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME"), "padding", 0),
    ],
)
def test_what_is_not_needed_becomes_plain(fun: Any, name: str, plainest: Any) -> None:
    found = simplified(fun, X)
    values = [eqn.params[name] for eqn in found.eqns if name in eqn.params]
    assert values
    assert {number for value in values for number in np.ravel(value).tolist()} == {plainest}
    assert irregularity(found.jaxpr) == 0


def test_what_stands_between_elements_is_the_end_of_a_result() -> None:
    def between(problem: Problem) -> bool:
        return problem.eqns[0].params["padding_config"][0][2] > 0 and 2 in np.asarray(
            problem.values[problem.eqns[0].outvars[0]]
        )

    found = simplified(
        lambda x: lax.pad(x, np.float32(2), ((0, 0, 3),)), np.zeros(2, np.float32), fails=between
    )
    assert found.eqns[0].params["padding_config"] == ((-1, -1, 1),)


def test_what_stands_between_elements_is_all_that_a_convolution_reads() -> None:
    image, kernel = np.ones((1, 1, 2), np.float32), np.ones((1, 1, 1), np.float32)
    found = simplified(
        lambda x, y: lax.conv_general_dilated(x, y, (1,), ((0, 0),), lhs_dilation=(2,)),
        image,
        kernel,
        fails=lambda p: p.eqns[0].params["lhs_dilation"] == (2,),
    )
    assert found.eqns[0].outvars[0].aval.shape == (1, 1, 1)


def test_padding_takes_the_place_of_elements_where_a_result_is_to_keep_its_size() -> None:
    image, kernel = np.ones((1, 2, 1, 1), np.float32), np.ones((1, 2, 1, 1), np.float32)

    def fun(x: Any, y: Any) -> Any:
        return lax.conv_general_dilated(
            x, y, (2, 1), ((0, 1), (0, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    found = simplified(fun, image, kernel, fails=lambda p: p.eqns[-1].outvars[0].aval.shape == (1, 2, 1, 1))
    assert [np.shape(arg) for arg in found.args] == [(1, 1, 1, 1), (1, 1, 1, 1)]


def test_needed_windows_have_padding_in_place_of_elements() -> None:
    found = simplified(
        lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 1, 1), (1, 1, 1, 1), "VALID"),
        X,
        fails=lambda p: (
            p.eqns[-1].params["window_dimensions"][1] == 2 and p.eqns[-1].outvars[0].aval.size > 2
        ),
    )
    assert np.shape(found.args[0])[1] < 4


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_that_are_made_of_nothing_go_one_by_one(axis: int) -> None:
    """All of them have one size, and two of them are needed."""

    def needed(p: Problem) -> bool:
        eqn = p.eqns[0]
        return eqn.params["shape"][eqn.params["dimension"]] > 1 and eqn.outvars[0].aval.size >= 4

    found = simplified(lambda: lax.broadcasted_iota(np.int32, (2, 2, 2), axis), fails=needed)
    assert found.eqns[0].params["shape"] == (2, 2)


def test_what_is_repeated_is_repeated_as_little_as_is_needed() -> None:
    found = simplified(
        lambda x: lax.broadcast_in_dim(x, (3, 2, 3), (1,)),
        np.float32([1, 2]),
        fails=lambda p: p.key.elements >= 6,
    )
    assert found.key.elements == 6


def test_what_negative_padding_takes_away_need_not_be_there() -> None:
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    found = simplified(
        lambda x: lax.pad(x, np.float32(7), ((0, -1, 0), (-1, 0, 0))),
        x,
        fails=lambda p: p.eqns[-1].outvars[0].aval.shape == (2, 2),
    )
    assert found.eqns[-1].params["padding_config"] == ((0, 0, 0), (0, 0, 0))
    np.testing.assert_array_equal(found.args[0], x[:2, 1:])


def test_what_is_needed_stays() -> None:
    def fails(candidate: Problem) -> bool:
        (eqn,) = candidate.eqns
        return eqn.params["k"] >= 3

    found = simplified(lambda x: lax.top_k(x.reshape(16), 7)[0], X.reshape(16), fails=fails)
    assert found.eqns[0].params["k"] == 3


def test_one_number_is_made_plainer_at_a_time() -> None:
    (eqn,) = problem_of(lambda x: lax.pad(x, 0.0, ((2, 0, 0), (0, 5, 0), (0, 0, 0), (0, 0, 0))), X).eqns
    found = [params["padding_config"][:2] for name, params in plainer(eqn) if name == "padding_config"]
    assert found == [
        ((0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 5, 0)),
        ((1, 0, 0), (0, 5, 0)),
        ((2, 0, 0), (0, 0, 0)),
        ((2, 0, 0), (0, 2, 0)),
        ((2, 0, 0), (0, 4, 0)),
    ]


def test_what_a_window_with_strides_reads_and_gives_shrinks_in_proportion() -> None:
    def pooled(x: jax.Array, y: jax.Array) -> jax.Array:
        return jax.vjp(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"), x)[1](y)[0]

    def fails(candidate: Problem) -> bool:
        """XLA refuses sizes that do not fit together, which JAX does not look at."""
        if candidate.eqns[-1].primitive.name != "select_and_scatter_add":
            return False
        given, read = (v.aval.shape for v in candidate.eqns[-1].invars)
        return [2 * n for n in given] == list(read)

    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    found = simplified(pooled, x, x[:4, :4], run=shrink_axes, fails=fails)
    assert sorted(v.aval.shape for v in found.eqns[-1].invars) == [(1, 1), (2, 2)]


def grouped(**counts: int) -> Callable[..., Any]:
    """A convolution of groups."""
    numbers = lax.ConvDimensionNumbers((0, 1, 2), (0, 1, 2), (0, 1, 2))
    return lambda x, k: lax.conv_general_dilated(x, k, (1,), "VALID", dimension_numbers=numbers, **counts)


@pytest.mark.parametrize(
    ("counts", "image", "kernel"),
    [
        ({"feature_group_count": 2}, (1, 8, 3), (2, 4, 1)),
        ({"feature_group_count": 3}, (2, 3, 4), (6, 1, 2)),
        ({"batch_group_count": 2}, (6, 5, 3), (4, 5, 1)),
    ],
)
def test_groups_that_are_not_needed_go_with_their_channels(counts, image, kernel) -> None:
    args = np.ones(image, np.float32), np.ones(kernel, np.float32)
    found = simplified(grouped(**counts), *args)
    (eqn,) = found.eqns
    assert {eqn.params[name] for name in counts} == {1}


def test_groups_that_are_needed_keep_few_channels() -> None:
    def fails(candidate: Problem) -> bool:
        return any(eqn.params.get("feature_group_count") == 2 for eqn in candidate.eqns)

    args = np.ones((1, 8, 3), np.float32), np.ones((4, 4, 1), np.float32)
    found = simplified(grouped(feature_group_count=2), *args, run=shrink_axes, fails=fails)
    assert [np.shape(arg) for arg in found.args] == [(1, 2, 1), (2, 1, 1)]


def test_sums_of_tangents_are_sums() -> None:
    def fun(x: Any) -> Any:
        return lax.scan(lambda c, r: (ad.add_jaxvals(c, r), None), x[0], ad.add_jaxvals(x, x))[0]

    found = simplified(fun, np.ones(3, np.float32), run=plainer_primitives, fails=lambda _: True)
    assert "add_any" in ir.primitives(found.closed)  # as the oracle wants it
    problem = problem_of(fun, np.ones(3, np.float32))
    plain = minimize(problem, at_once(lambda _: True), [Pass("one", plainer_primitives)], max_calls=9)
    assert (plain.calls, ir.primitives(plain.problem.closed)["add"]) == (1, 2)
    assert well_typed(plain.problem)
    assert irregularity(plain.problem.jaxpr) < irregularity(problem.jaxpr)
