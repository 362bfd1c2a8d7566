"""Refs (`jax.new_ref`) that cross the boundary of a jace.jit function: arguments, and refs closed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace

Jit = Callable[..., Any]


def update(ref: Any, x: Any) -> Any:
    ref[...] += x
    y = ref[...] * 2
    ref[0] = 5.0
    return y


def argument(jit: Jit) -> Any:
    ref = jax.new_ref(jnp.arange(3.0))
    step = jit(update)
    return step(ref, jnp.ones(3)), step(ref, jnp.ones(3)), ref[...]


def closed_over(jit: Jit) -> Any:
    ref = jax.new_ref(jnp.arange(3.0))
    return jit(lambda x: update(ref, x))(jnp.ones(3)), ref[...]


def only_read(jit: Jit) -> Any:
    ref = jax.new_ref(jnp.arange(3.0))
    return jit(lambda ref, x: ref[...] * x)(ref, jnp.full(3, 2.0)), ref[...]


def in_a_scan(jit: Jit) -> Any:
    def run(ref: Any, x: Any) -> Any:
        def body(c: Any, i: Any) -> Any:
            ref[i] = c.sum()
            return c * 2, ref[0]

        return jax.lax.scan(body, x, jnp.arange(3))

    ref = jax.new_ref(jnp.zeros(3))
    return jit(run)(ref, jnp.ones(2)), jit(run)(ref, jnp.full(2, 2.0)), ref[...]


def inside_a_jit(jit: Jit) -> Any:
    ref = jax.new_ref(jnp.arange(3.0))
    return jax.jit(lambda x: jit(update)(ref, x) + ref[...])(jnp.ones(3)), ref[...]


def several(jit: Jit) -> Any:
    """Refs closed over, a ref given, and a constant that becomes an operand: their positions must not mix."""
    first, second = jax.new_ref(jnp.arange(3.0)), jax.new_ref(jnp.arange(3.0) + 9)
    table = jnp.arange(100.0)

    def run(given: Any, x: Any) -> Any:
        out = update(first, x) + given[...] + table[:3]
        given[...] = x * second[...]
        return out

    given = jax.new_ref(jnp.zeros(3))
    return jit(run)(given, jnp.ones(3)), first[...], second[...], given[...]


def with_a_callback(jit: Jit) -> Any:
    ref = jax.new_ref(jnp.arange(3.0))

    def run(ref: Any, x: Any) -> Any:
        ref[...] += jax.pure_callback(np.negative, jax.ShapeDtypeStruct((3,), jnp.float32), x)
        return ref[...]

    return jit(run)(ref, jnp.ones(3)), ref[...]


def internal_under_transformations(jit: Jit) -> Any:
    """A ref that lives inside of the function: its effects are nobody's affair outside."""

    def run(x: Any) -> Any:
        ref = jax.new_ref(jnp.zeros(3))
        ref[...] += jnp.sin(x)
        return ref[...] * 2

    x = jnp.arange(3.0)
    grad = jax.grad(lambda x: jit(run)(x).sum())
    return jit(run)(x), jax.jit(jit(run))(x), grad(x), jax.vmap(jit(run))(jnp.stack([x, x + 1]))


@pytest.mark.parametrize(
    "program",
    [
        argument,
        closed_over,
        only_read,
        in_a_scan,
        inside_a_jit,
        several,
        with_a_callback,
        internal_under_transformations,
    ],
)
def test_refs_across_the_boundary(program: Callable[[Jit], Any]) -> None:
    got, want = program(jace.jit), program(jax.jit)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), got, want)
