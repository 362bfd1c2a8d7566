"""Evaluating programs while they are drawn."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.fuzz import nearly
from jace_repro.tester.numerics import native

X = np.float32([0.25, 0.5, 3.0])


def results(fun, *args):
    closed = jax.make_jaxpr(fun)(*args)
    return nearly.walked(closed, args), native.walked(closed, args)


@pytest.mark.parametrize(
    ("fun", "args"),
    [
        (jnp.tanh, [X]),
        (lax.lgamma, [X.astype(np.float16)]),
        (lambda x, n: x**n, [X, np.int32([2, -1, 3])]),
        (jnp.exp, [(X + 1j * X).astype(np.complex64)]),
        (lax.betainc, [X, X, np.float32([0.1, 0.5, 0.9])]),
        (lambda x: lax.scan(lambda c, _: (jnp.sin(c), jnp.cos(c)), x, None, length=3), [X]),
    ],
)
def test_numpy_has_a_function_nearly(fun, args, monkeypatch):
    found, expected = results(fun, *args)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=4e-3 if other.dtype == np.float16 else 1e-5)
    monkeypatch.setattr(native.Walk, "unknown", None)  # no compiler is asked
    nearly.walked(jax.make_jaxpr(fun)(*args), args)


@pytest.mark.parametrize(
    ("fun", "args"),
    [
        (lambda x: jnp.linalg.qr(x), [np.eye(3, dtype=np.float32)]),
        (lambda k: jax.random.bits(k, (3,)), [jax.random.key(0)]),
    ],
)
def test_what_numpy_has_not_is_jax_s(fun, args):
    found, expected = results(fun, *args)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_loop_that_does_not_end_is_left():
    closed = jax.make_jaxpr(lambda x: lax.while_loop(lambda c: c[0] >= 0, lambda c: c + 1, x))(
        np.zeros(1, np.float32)
    )
    with pytest.raises(native.TooLongError):
        nearly.walked(closed, [np.zeros(1, np.float32)])
