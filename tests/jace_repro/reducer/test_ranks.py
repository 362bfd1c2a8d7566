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
        (lambda x: lax.cumsum(x, axis=1), "cumsum", [(1, 1)]),
        (lambda x: lax.cumsum(x, axis=0), "cumsum", [(1,)]),
        (lambda x: lax.sort(x, dimension=2), "sort", [(1, 1, 1)]),
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
