"""A failure that names its equation: nothing else is looked for, as long as it is the one."""

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
from jace_repro.reducer import Named
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.passes.equations import jump_to
from jace_repro.reducer.problem import Problem

X = np.linspace(0.5, 2.0, 6, dtype=np.float32)


def program(x: Any) -> Any:
    for _ in range(30):
        x = jnp.cos(x) * 2 + jnp.tanh(x[:3]).sum()

    def body(carry: Any, t: Any) -> tuple[Any, Any]:
        return jnp.sin(carry) + t, jnp.tanh(carry.reshape(2, 3))

    return lax.scan(body, x, jnp.arange(4.0))


def has(primitive: str, size: int = 0) -> Callable[[Problem], bool]:
    """Whether there is an equation of this primitive, with a result of so many elements."""

    def asked(problem: Problem) -> bool:
        sizes = [e.outvars[0].aval.size for _, e in ir.walk(problem.jaxpr) if e.primitive.name == primitive]
        return any(size in (0, found) for found in sizes)

    return asked


def searched(named: Named | None, oracle: Callable[[Problem], bool]) -> tuple[Problem, int, list[str]]:
    problem, seen = problem_of(program, X), []
    asked = at_once(oracle)
    found = minimize(
        problem, asked, standard_passes(None, named), max_calls=200, on_progress=lambda p: seen.append(p.pass_name)
    )  # fmt: skip
    return found.problem, found.calls, seen


def test_what_nothing_runs_of_is_found_in_a_body_at_once() -> None:
    text = "f32[2,3] = tanh[accuracy=None](f32[2,3])"
    named = Named("tanh", text, unrun=True)
    (alone, *_) = list(jump_to(named).run(problem_of(program, X)))
    assert [ir.describe(eqn) for eqn in alone.eqns] == [text]
    assert [np.shape(a) for a in alone.args] == [(2, 3)]
    found, calls, seen = searched(named, has("tanh", 6))
    assert (found.equations, seen[0]) == (1, "jump to tanh")
    plain, more, _ = searched(None, has("tanh", 6))
    assert plain.equations == 1
    assert calls < more


def test_what_runs_keeps_the_operands_that_it_has() -> None:
    (alone, *_) = list(jump_to(Named("reduce_sum")).run(problem_of(program, X)))
    assert [eqn.primitive.name for eqn in alone.eqns] == ["reduce_sum"]
    np.testing.assert_allclose(alone.args[0], np.tanh(X[:3]), rtol=1e-6)
    # in a body: the loop that it is in
    (loop,) = list(jump_to(Named("sin")).run(problem_of(program, X)))
    assert [eqn.primitive.name for eqn in loop.eqns] == ["scan"]


def test_a_name_that_is_wrong_costs_a_few_tests() -> None:
    for unrun in (False, True):
        tried = list(jump_to(Named("cos", None, unrun)).run(problem_of(program, X)))
        assert 1 <= len(tried) <= 4
        found, _, _ = searched(Named("cos", None, unrun), has("sin"))
        assert [eqn.primitive.name for _, eqn in ir.walk(found.jaxpr)] == ["sin"]


@pytest.mark.parametrize("unrun", [False, True])
def test_what_is_there_no_more_is_not_looked_for(unrun: bool) -> None:
    assert list(jump_to(Named("erf", None, unrun)).run(problem_of(program, X))) == []


def test_operands_of_types_that_numpy_has_not_are_not_made_up() -> None:
    problem = problem_of(
        lambda x: jax.random.uniform(jax.random.wrap_key_data(x), (3,)) * 2, jnp.zeros(2, jnp.uint32)
    )
    assert "random_bits" in ir.primitives(problem.closed)
    assert list(jump_to(Named("random_bits", None, unrun=True)).run(problem)) == []
