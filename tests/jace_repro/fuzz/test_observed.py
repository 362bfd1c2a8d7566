"""Programs in which a wrong result of any equation is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace import ir
from jace_repro.fuzz.observed import differs, observed, unseen, wrong
from jace_repro.tester.numerics import native

X = np.linspace(0.1, 0.9, 12, dtype=np.float32)


def unseen_of(function: Callable[..., Any], *arrays: Any) -> list[str]:
    """The primitives of the equations that nobody would see."""
    closed = ir.inline_calls(jax.make_jaxpr(function)(*arrays))
    return [one.eqn.primitive.name for one in reversed(unseen(closed, arrays))]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: jnp.argmax(jnp.sin(x)), ["sin"]),
        (lambda x: jnp.sin(x) > -5, ["sin"]),
        # the comparison takes the other one where it is wrong
        (lambda x: jnp.where(jnp.sin(x) > -5, x * 2, x * 3), ["sin", "mul"]),
        (lambda x: jnp.sin(x)[:0], ["sin"]),
        (lambda x: jnp.sum(jnp.sin(x)), []),
        (lambda x: jnp.exp(x) * 1e-8 + x * 100, ["mul"]),  # too small to be told from rounding
        (lambda x: jnp.where(x > 2, jnp.log(-x), x), ["neg"]),  # what is not finite is not given out
    ],
)
def test_what_could_be_wrong_and_nobody_would_see(function: Callable[..., Any], expected: list[str]) -> None:
    assert unseen_of(function, X) == expected


def _scanned(x: Any) -> Any:
    return jax.lax.scan(lambda c, row: (c + 1, jnp.argmax(jnp.sin(c * row))), x, jnp.arange(1.0, 4.0))[1]


def _looped(x: Any) -> Any:
    return jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.argmax(jnp.sin(x))), (0, 0))[1]


def _branched(x: Any) -> Any:
    left = lambda x: (jnp.argmax(jnp.sin(x)), x[0])
    right = lambda x: (jnp.argmin(x * 2), x[1])
    return jax.lax.cond(x[0] > 0, left, right, x)


def _nested(x: Any) -> Any:
    @jax.jit
    def step(c: Any, _: Any) -> Any:
        return jax.lax.fori_loop(0, 2, lambda k, c: c + _branched(x + c)[0] * 0 + 1, c), None

    return jax.lax.scan(step, 0.0, None, length=3)[0]


@pytest.mark.parametrize(
    ("function", "expected", "shape"),
    [
        (_scanned, "sin", (3, 12)),
        (_looped, "sin", (12,)),
        (_branched, "sin", (12,)),
        (_nested, "sin", (3, 2, 12)),
    ],
)
def test_what_is_in_a_loop_or_branch_is_given_out_too(
    function: Callable[..., Any], expected: str, shape: tuple[int, ...]
) -> None:
    closed = jax.make_jaxpr(function)(X)
    assert expected in unseen_of(function, X)
    more = observed(closed, [X])
    found = jax.make_jaxpr(more)(X)
    assert shape in [aval.shape for aval in found.out_avals[len(closed.out_avals) :]]
    assert unseen(found, [X]) == []
    compiled = jax.jit(more)(X)
    for one, other in zip(compiled, native.evaluate(found, [X]), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    for one, other in zip(compiled, jax.tree.leaves(function(X)), strict=False):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_zeros_stand_for_what_is_in_a_branch_that_is_not_taken() -> None:
    more = observed(jax.make_jaxpr(_branched)(X), [X])
    np.testing.assert_array_equal(jax.jit(more)(-X)[-1], np.zeros_like(X))


def test_what_rounding_moves_as_far_shows_nothing() -> None:
    """Of a number that is as large as this the cosine says nothing about it."""

    def function(x: Any) -> Any:
        return jnp.cos(jnp.sin(x) * 1e8)

    assert unseen_of(function, X) == ["mul"]
    assert unseen_of(lambda x: jnp.cos(jnp.sin(x)), X) == []


def test_it_is_given_out_after_the_outputs() -> None:
    found = observed(jax.make_jaxpr(lambda x: (x + 1, jnp.argmax(jnp.sin(x))))(X), [X])(X)
    assert len(found) == 3
    np.testing.assert_array_equal(found[0], X + 1)
    np.testing.assert_allclose(found[2], np.sin(X), rtol=1e-6)


def test_calls_stay_calls() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return jnp.argmax(jnp.sin(x)), x * 2

    @jax.custom_jvp
    def smooth(x: Any) -> Any:
        return jnp.argmin(jnp.cos(x)) + x

    smooth.defjvp(lambda xs, ts: (smooth(*xs), ts[0]))
    program = lambda x: (*inner(x), smooth(x))
    closed = jax.make_jaxpr(program)(X)
    found = jax.make_jaxpr(observed(closed, [X]))(X)
    assert next(eqn.params["name"] for eqn in found.jaxpr.eqns if eqn.primitive.name == "jit") == "inner"
    assert len(found.jaxpr.outvars) == 5
    outputs = native.evaluate(found, [X])
    for one, other in zip(outputs, native.evaluate(closed, [X]), strict=False):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(outputs[3], np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(outputs[4], np.cos(X), rtol=1e-6)


def test_nothing_is_given_out_twice() -> None:
    program = lambda x: jnp.argmax(jnp.sin(x) * 3 + 1)
    closed = jax.make_jaxpr(program)(X)
    assert unseen_of(program, X) == ["add"]  # it shows the product and the sine
    again = jax.make_jaxpr(observed(closed, [X]))(X)
    assert unseen(again, [X]) == []


def test_keys_are_gone_through() -> None:
    def program(seed: Any) -> Any:
        return jax.random.bits(jax.random.fold_in(jax.random.key(0), seed), (3,))

    assert unseen_of(program, np.uint32(3)) == []


def test_a_loop_that_would_not_end_is_no_matter() -> None:
    def program(n: Any) -> Any:
        return jax.lax.while_loop(lambda c: c[0] != 10, lambda c: (c[0] + 2, c[1] + 1), (n * 2, 0))[1] * 0

    assert "while" in unseen_of(program, np.int32(1)) or unseen_of(program, np.int32(1)) == []


@pytest.mark.parametrize(
    "value", [np.array([True, False]), np.int8([127, 0]), np.float32([0, np.nan]), X, X * 1j]
)
def test_a_wrong_value_is_another_one(value: Any) -> None:
    found = wrong(value)
    assert (found.dtype, found.shape) == (value.dtype, value.shape)
    assert np.all(found != value)
    assert differs(found, value)
    assert not differs(value, value)


def test_rounding_is_no_difference() -> None:
    assert not differs(X * np.float32(1 + 1e-6), X)
    assert differs(X * np.float32(1.01), X)
    assert not differs(np.float32([np.nan, np.inf]), np.float32([np.nan, np.inf]))
    assert differs(np.float32([1.0]), np.float32([np.nan]))
