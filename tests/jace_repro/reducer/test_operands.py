"""Equations of any number of operands keep those that are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from problems import problem_of
from reducing import minimize

from jace import ir
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.operands import VARIADIC, drop_operands
from jace_repro.reducer.problem import Problem, well_typed

X = np.arange(6, dtype=np.float32)
N = np.arange(6, dtype=np.int32)


def fewer(fun: Callable[..., Any], *args: Any, fails: Callable[[Problem], bool]) -> Problem:
    found = minimize(
        clean(problem_of(fun, *args)), at_once(fails), [Pass("one", drop_operands)], max_calls=100
    ).problem
    assert well_typed(found)
    return found


def computes(name: str) -> Callable[[Problem], bool]:
    return lambda p: name in ir.primitives(p.closed) and p.eqns[-1].outvars[0].aval.size > 0


def test_one_of_the_joined_is_enough() -> None:
    def fun(x: Any, n: Any) -> Any:
        return jnp.sin(lax.concatenate([x, x[:0], n.astype(np.float32), jnp.cos(x)], 0)) * 2

    found = fewer(fun, X, N, fails=computes("concatenate"))
    assert [e.primitive.name for e in found.eqns if e.primitive.name in VARIADIC] == ["concatenate"]
    (joined,) = (e for e in found.eqns if e.primitive.name == "concatenate")
    assert len(joined.invars) == 1


def test_the_joined_that_are_needed_stay() -> None:
    def both(p: Problem) -> bool:
        joined = [e for e in p.eqns if e.primitive.name == "concatenate"]
        return bool(joined) and {"sin", "cos"} <= set(ir.primitives(p.closed))

    found = fewer(lambda x: lax.concatenate([x, jnp.sin(x), -x, jnp.cos(x)], 0), X, fails=both)
    assert len(found.eqns[-1].invars) == 2


@pytest.mark.parametrize("read", [0, 1, 2])
def test_an_array_is_sorted_alone(read: int) -> None:
    def fun(x: Any, n: Any) -> Any:
        return lax.sort((n, x, -x), dimension=0, is_stable=True, num_keys=2)[read]

    found = fewer(fun, X, N, fails=computes("sort"))
    (sort,) = (e for e in found.eqns if e.primitive.name == "sort")
    assert (len(sort.invars), sort.params["num_keys"]) == (1, 1)


def test_results_that_types_tell_apart_are_read_still() -> None:
    def fun(x: Any, n: Any) -> Any:
        _, y, m = lax.sort((x, x * 2, n), dimension=0, num_keys=1)
        return jnp.sin(y), lax.population_count(m)

    found = fewer(
        fun, X, N, fails=lambda p: {"sin", "population_count", "sort"} <= set(ir.primitives(p.closed))
    )
    (sort,) = (e for e in found.eqns if e.primitive.name == "sort")
    assert len(sort.invars) == 2


def test_barriers_hold_back_what_is_needed() -> None:
    found = fewer(
        lambda x, n: lax.optimization_barrier((x, n, x + 1))[1], X, N, fails=computes("optimization_barrier")
    )
    assert len(found.eqns[-1].invars) == 1
