"""Axes of one element that a failure does not need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.fewer_axes import on_fewer_axes
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.passes.ranks import drop_axes
from jace_repro.reducer.problem import Problem, well_typed

X = np.ones((3, 4, 5), np.float32)


def reduced(fun: Callable[..., Any], *args: Any, keeps: str) -> Problem:
    """By all passes, while the program has that primitive."""
    ask = at_once(lambda candidate: keeps in ir.primitives(candidate.closed))
    found = minimize(problem_of(fun, *args), ask, standard_passes(), max_calls=200)
    assert found.stopped == "fixpoint"
    assert well_typed(found.problem)
    return found.problem


@pytest.mark.parametrize(
    ("fun", "keeps", "shapes"),
    [
        (lambda x: jnp.sin(x.transpose(1, 0, 2)).sum(0) * 2, "sin", [()]),
        (lambda x: jnp.where(x > 1, x, -x), "select_n", [()]),  # the others are numbers
        (lambda x: lax.cumsum(x, axis=1), "cumsum", [(1,)]),
        (lambda x: lax.cumsum(x, axis=0), "cumsum", [(1,)]),
        (lambda x: lax.sort(x, dimension=2), "sort", [(1,)]),
        (lambda x: lax.pad(x[:, :1], np.float32(1), ((1, 0, 0), (0, 0, 0), (0, 1, 0))), "pad", [()]),
        (lambda x: x.sum((0, 2)), "reduce_sum", [(1,)]),
        (lambda x: lax.argmax(x, 1, np.int32), "argmax", [(1,)]),
        (lambda x: lax.rev(x, (1,)), "rev", [(1,)]),
        (lambda x: lax.concatenate([x, x], 2), "concatenate", [(1,)]),
        (
            lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 1), (1, 1, 1), "valid"),
            "reduce_window_sum",
            [(1,)],
        ),
        (lambda x: lax.slice(x, (0, 1, 0), (3, 4, 5), (1, 2, 1)), "slice", [(1,)]),
        (lambda x: lax.dot_general(x, x, (((2,), (2,)), ((0,), (0,)))), "dot_general", [(1, 1)]),
        (lambda x: lax.dot_general(x[0], x[1], (((1,), (1,)), ((), ()))), "dot_general", [(1,)]),
        (lambda x: lax.transpose(x, (2, 0, 1)), "transpose", [()]),
        (lambda x: lax.broadcast_in_dim(x, (3, 4, 2, 5), (0, 1, 3)), "broadcast_in_dim", [()]),
        (lambda x: lax.scan(lambda c, r: (c + jnp.sin(r), c), x[0], x)[1], "scan", [()]),
    ],
)
def test_scalars_stand_where_arrays_of_one_element_stood(
    fun: Callable[..., Any], keeps: str, shapes: list[tuple[int, ...]]
) -> None:
    assert [np.shape(arg) for arg in reduced(fun, X, keeps=keeps).args] == shapes


def test_axes_go_one_by_one_where_they_do_not_go_together() -> None:
    """The first and the last are not needed, the one between them is."""
    problem = problem_of(lambda x, y: jnp.sin(x) * y, X[:1, :1, :1], X[:1, :1, :1])
    ask = at_once(lambda candidate: np.ndim(candidate.args[0]) > 0)
    found = minimize(problem, ask, [Pass("drop axes", drop_axes)], max_calls=20)
    assert [np.shape(arg) for arg in found.problem.args] == [(1,), (1,)]
    assert found.problem.key.axes < problem.key.axes
    assert found.problem.key.elements == problem.key.elements


def test_longer_axes_stay_and_keys_are_arrays_too() -> None:
    keys = jax.random.split(jax.random.key(0), 1)
    problem = problem_of(lambda k, x: (jax.random.key_data(k), x * 2), keys, X[:1])
    found = minimize(problem, at_once(lambda _: True), [Pass("drop axes", drop_axes)], max_calls=20)
    assert [np.shape(arg) for arg in found.problem.args] == [(), (4, 5)]
    assert well_typed(found.problem)


@pytest.mark.parametrize(
    ("primitive", "params", "old", "new", "found"),
    [
        (
            "pad",
            {"padding_config": ((1, 0, 0), (0, 0, 0))},
            [(1, 1), ()],
            [(1,), ()],
            {"padding_config": ((1, 0, 0),)},
        ),
        ("cumsum", {"axis": 2, "reverse": True}, [(1, 1, 5)], [(5,)], {"axis": 0, "reverse": True}),
        ("sort", {"dimension": 1, "num_keys": 1}, [(1, 1)], [(1,)], {"dimension": 0, "num_keys": 1}),
        ("transpose", {"permutation": (2, 0, 1)}, [(3, 1, 4)], [(3, 4)], {"permutation": (1, 0)}),
        ("reduce_sum", {"axes": (0, 2)}, [(1, 1, 1)], [(1, 1)], {"axes": (0, 1)}),
        ("reduce_sum", {"axes": (0, 1)}, [(1, 1)], [(1,)], {"axes": (0,)}),
        (
            "dot_general",
            {"dimension_numbers": (((2,), (1,)), ((0,), (0,)))},
            [(2, 1, 3), (2, 3, 1)],
            [(2, 3), (2, 3)],
            {"dimension_numbers": (((1,), (1,)), ((0,), (0,)))},
        ),
        ("select_n", {}, [(), (1, 1)], [(), ()], {}),
    ],
)
def test_parameters_count_the_axes_that_are_left(
    primitive: str, params: dict[str, Any], old: list[Any], new: list[Any], found: dict[str, Any]
) -> None:
    assert on_fewer_axes(primitive, params, old, new) == found


@pytest.mark.parametrize(
    ("primitive", "params", "old", "new"),
    [
        ("cumsum", {"axis": 1}, [(3, 1)], [(3,)]),
        ("dot_general", {"dimension_numbers": (((1,), (0,)), ((), ()))}, [(2, 1), (1, 2)], [(2,), (2,)]),
        ("cumsum", {"axis": 0}, [(3, 2)], [(3,)]),
        ("reduce_max", {"axes": (1,)}, [(3, 1)], [(3,)]),
    ],
)
def test_what_an_equation_needs_cannot_go(
    primitive: str, params: dict[str, Any], old: list[Any], new: list[Any]
) -> None:
    with pytest.raises(TypeError):
        on_fewer_axes(primitive, params, old, new)
