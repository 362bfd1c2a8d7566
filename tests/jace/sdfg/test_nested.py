"""Calls as nested SDFGs: where they are one, what they read and write, and that DaCe's passes leave them right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from jax import lax

import jace

NESTED = ("canonical/calls:nested", "canonical/simplify+calls:nested")
X = np.random.default_rng(3).normal(size=(3, 4)).astype(np.float32)
Y = np.random.default_rng(4).normal(size=(3, 4)).astype(np.float32)


@jax.jit
def product(x: Any, y: Any) -> Any:
    return jnp.where(x > 0, x, y) @ y.T


@jax.custom_jvp
def ruled(x: Any) -> Any:
    return jnp.sin(x) * 2


ruled.defjvp(lambda xs, ts: (ruled(*xs), ts[0] * 3))


@jax.custom_vjp
def pulled(x: Any) -> Any:
    return x * x + 1


pulled.defvjp(lambda x: (pulled(x), x), lambda x, g: (g * x,))


@jax.checkpoint
def saved(x: Any) -> Any:
    return jax.nn.softmax(x) + ruled(x)


@jax.jit
def both(x: Any) -> Any:
    return x, x + 1, x


def in_a_loop(x: Any, y: Any) -> Any:
    def step(c: Any, row: Any) -> Any:
        # the carry is read and written by one call; a row of a stacked array goes in, a row comes out
        return saved(c) * row[0], product(c, c)[0] + row[0]

    return lax.scan(step, x, y)


def in_a_while(x: Any) -> Any:
    return lax.while_loop(lambda c: jax.jit(lambda v: v.sum() < 50)(c), lambda c: pulled(jnp.abs(c)), x)


def in_a_branch(x: Any, y: Any) -> Any:
    return lax.cond(x[0, 0] > 0, product, lambda a, b: a @ b.T, x, y)


def of_one_operand_twice(x: Any) -> Any:
    return product(x, x), both(x), jax.jit(lambda a, b: a)(x, x + 1)


def derived(x: Any) -> Any:
    return jax.grad(lambda v: saved(pulled(v)).sum())(x)


def combined(x: Any) -> Any:
    # what combines two elements calls functions, too, and stays an expression
    return lax.cumlogsumexp(x, axis=1), lax.reduce(x, np.float32(-9), lambda a, b: jnp.maximum(a, b), (0,))


def scattered(x: Any, y: Any) -> Any:
    return product(x, y).at[jnp.array([0, 2, 0])].add(product(y, x)), jnp.take(x, jnp.array([2, 5]), axis=0)


def of_keys(x: Any) -> Any:
    return jax.random.normal(jax.random.key(3), x.shape) + x


PROGRAMS = (
    (in_a_loop, X, Y),
    (in_a_while, X),
    (in_a_branch, X, Y),
    (of_one_operand_twice, X),
    (derived, X),
    (combined, X),
    (scattered, X, Y),
    (of_keys, X),
)


def nested(fun: Callable[..., Any], *args: Any, pipeline: str) -> list[str]:
    """Names of the nested SDFGs of a function's, without their numbers."""
    sdfg = jace.jit(fun, pipeline=pipeline).lower(*args).as_sdfg()
    nodes = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.NestedSDFG)]
    return sorted(node.sdfg.name.rpartition("_")[0] for node in nodes)


@pytest.mark.parametrize(
    ("fun", "args"), [(f, args) for f, *args in PROGRAMS], ids=lambda v: getattr(v, "__name__", "")
)
def test_what_is_called_means_what_it_means(fun: Callable[..., Any], args: Any) -> None:
    check(fun, *args, pipelines=NESTED)


def test_each_call_is_a_nested_sdfg() -> None:
    def program(x: Any, y: Any) -> Any:
        return product(x, y), saved(x), pulled(y)

    names = nested(program, X, Y, pipeline="canonical/calls:nested")
    assert {"call_product", "call__where", "call_saved", "call_ruled", "call_pulled"} <= set(names)
    assert nested(program, X, Y, pipeline="canonical") == []


def test_calls_in_loops_and_branches_are_nested_sdfgs() -> None:
    assert "call_product" in nested(in_a_loop, X, Y, pipeline="canonical/calls:nested")
    assert "call_product" in nested(in_a_branch, X, Y, pipeline="canonical/calls:nested")


def test_dace_inlines_them() -> None:
    assert nested(in_a_branch, X, Y, pipeline="canonical/simplify+calls:nested") == []


def test_an_operand_that_is_not_read_is_not_given() -> None:
    sdfg = (
        jace.jit(lambda x, y: jax.jit(lambda a, b: a + 1)(x, y), pipeline="canonical/calls:nested")
        .lower(X, Y)
        .as_sdfg()
    )
    (node,) = (n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.NestedSDFG))
    assert (set(node.in_connectors), set(node.out_connectors)) == ({"a0000"}, {"r0000"})
