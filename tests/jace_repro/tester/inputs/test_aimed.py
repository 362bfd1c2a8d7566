"""Inputs that take operations behind other operations to their critical points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace.ir import inline_calls
from jace_repro.tester.inputs import critical
from jace_repro.tester.inputs.aimed import SETS, aimed, can_aim, sets
from jace_repro.tester.inputs.inverses import Wanted, invert
from jace_repro.tester.inputs.sets import input_sets
from jace_repro.tester.numerics import native

RNG = np.random.default_rng(0)
X, Y = (RNG.normal(size=64).astype(np.float32) for _ in range(2))
SHIFT = np.linspace(0, 3, 64, dtype=np.float32)  # a constant, which cannot change


def critical_operands(fun: Callable[..., Any], args: list[Any], name: str) -> int:
    """How many elements of the first operand of a primitive are critical points of it."""
    flat = inline_calls(jax.make_jaxpr(fun)(*args))
    found = [o[0] for _, e, o, _ in native.evaluate_each(flat, args) if e.primitive.name == name]
    return sum(int(np.isin(o, critical.floats(name, o.dtype)).sum()) for o in found)


@pytest.mark.parametrize(
    ("fun", "args", "name"),
    [
        (lambda x, y: jnp.round(jnp.exp(x) * y + 0.3), [X, Y], "round"),
        (lambda x, y: lax.erf((x - y) * 2.5), [X, Y], "erf"),
        (lambda x, y: jnp.tanh(jnp.cumsum(x) * y), [X, Y], "tanh"),
        (lambda x, y: jnp.floor(jnp.concatenate([x, y])[::-1] / 3), [X, Y], "floor"),
        (lambda x: jnp.log(jnp.sum(x.reshape(32, 2) ** 2, 1)), [X], "log"),
        (lambda x, y: lax.sinh(jnp.where(y > 0, x * 2, y)[10:40]), [X, Y], "sinh"),
        (lambda x: jnp.exp(jax.jit(lambda v: SHIFT - v)(x)), [X], "exp"),
        (lambda x: jnp.cosh(x * x), [X], "cosh"),
        (lambda x: jnp.floor(jnp.sqrt(jnp.pad(jnp.abs(x), (2, 3)))), [X], "floor"),
    ],
)
def test_an_operation_behind_others_is_taken_to_its_critical_points(
    fun: Callable[..., Any], args: list[Any], name: str
) -> None:
    closed = jax.make_jaxpr(fun)(*args)
    found = [critical_operands(fun, aimed(closed, args, np.random.default_rng(s)), name) for s in range(4)]
    before = critical_operands(fun, args, name)
    assert max(found) >= before + 4, (before, found)


def test_inputs_keep_their_types_and_most_of_their_elements() -> None:
    fun = lambda i, x, n: jnp.exp(x * n)[i]
    args = [np.arange(5), X, np.float16(2)]
    after = aimed(jax.make_jaxpr(fun)(*args), args, np.random.default_rng(1))
    assert [(a.dtype, a.shape) for a in map(np.asarray, after)] == [(a.dtype, a.shape) for a in args]
    assert np.array_equal(after[0], args[0])
    changed = np.count_nonzero(after[1] != X)
    assert 0 < changed < X.size


def test_few_elements_are_aimed_several_times() -> None:
    """One element of a few is at one critical point at a time: most of the exponential's are tried in some set."""
    few = np.linspace(0, 1, 6, dtype=np.float32)
    closed = jax.make_jaxpr(lambda x, y: jnp.exp(jnp.abs(x) * 2 + 1) + jnp.sin(x) * y)(few, few)
    made = [s.values[0] for s in input_sets(closed, [few, few], kinds=("aimed",))]
    assert len(made) == sets(closed) == SETS
    assert max(np.abs(x).max() for x in made) > 16
    assert sets(jax.make_jaxpr(lambda x, y: jnp.exp(x * y))(np.ones((64, 64)), np.ones(64))) == 1


def test_there_is_nothing_to_aim_at_where_only_loops_and_moves_are() -> None:
    assert not can_aim(jax.make_jaxpr(lambda x: x[::-1].reshape(8, 8))(X))
    assert not can_aim(jax.make_jaxpr(lambda x: lax.fori_loop(0, 3, lambda i, c: jnp.sin(c), x))(X))
    assert not can_aim(jax.make_jaxpr(lambda i: i + 1)(np.arange(3)))


@pytest.mark.parametrize(
    "fun",
    [
        *(jnp.exp, jnp.exp2, jnp.expm1, jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt, jnp.cbrt, jnp.square, jnp.sin),
        *(jnp.cos, jnp.tan, jnp.arcsin, jnp.arctan, jnp.sinh, jnp.cosh, jnp.tanh, jnp.arcsinh, jnp.arctanh),
        *(jax.nn.sigmoid, lax.erf, lax.erfc, jnp.negative, jnp.abs, lambda x: x**3, lambda x: x**-2),
        *(lambda x: x + 1.5, lambda x: 2 - x, lambda x: 3 / x, lambda x: x * x, lambda x: x + x),
        *(lambda x: lax.pow(x, np.float32(1.5)), lambda x: lax.pow(np.float32(3), x)),
    ],
)  # fmt: skip
def test_an_inverse_is_one(fun: Callable[..., Any]) -> None:
    inside = np.linspace(0.1, 0.9, 9, dtype=np.float32)
    flat = inline_calls(jax.make_jaxpr(fun)(inside))
    eqn = flat.jaxpr.eqns[-1]
    operands = [inside if v is flat.jaxpr.invars[0] else np.asarray(v.val) for v in eqn.invars]
    (right,) = native.apply(eqn, operands)
    ((position, found), *_) = invert(eqn, operands, Wanted(right.astype(np.float64), np.ones(9, bool)))
    assert found.mask.all()
    assert operands[position] is inside
    np.testing.assert_allclose(np.abs(found.values), inside, rtol=1e-5)
