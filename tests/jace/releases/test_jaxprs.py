"""Bodies and their constants, in whichever form the installed JAX has them."""

from __future__ import annotations

import jax
import numpy as np
from jax.extend.core import Jaxpr, jaxpr_as_fun

import jace
from jace import ir
from jace.releases.jaxprs import closed_of, jaxpr_of

TABLE = np.arange(12, dtype=np.float32).reshape(3, 4)
X = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)


def table(x):
    return x @ TABLE


def test_a_body_keeps_the_constants_that_it_holds():
    closed = jax.make_jaxpr(table)(X)
    assert len(closed.consts) == 1
    assert closed_of(closed) is closed
    np.testing.assert_array_equal(jaxpr_as_fun(closed_of(closed.jaxpr, closed.consts))(X)[0], table(X))


def test_what_a_jitted_function_closes_over_is_a_constant_of_its_jaxpr():
    closed = jaxpr_of(jax.jit(table).trace(X))
    assert [v.aval.shape for v in closed.jaxpr.invars] == [(2, 3)]
    np.testing.assert_array_equal(jaxpr_as_fun(closed)(X)[0], table(X))


def test_constants_of_an_inner_body_reach_the_compiled_program():
    inner = jax.make_jaxpr(table)(X)
    outer = lambda x: jax.lax.scan(lambda c, row: (c + jaxpr_as_fun(inner)(row)[0], c), table(X) * 0, x)[0]
    rows = np.stack([X, X + 1])
    np.testing.assert_allclose(jace.jit(outer)(rows), jax.jit(outer)(rows), rtol=1e-6)


def test_a_body_made_anew_is_as_high_as_its_equations():
    """A loop around an operation of a level of its own (jnp.nonzero, from jax 0.12 on) is lowered with it."""
    closed = jax.make_jaxpr(lambda x: jax.lax.map(lambda r: jax.numpy.nonzero(r, size=2)[0], x))(X)
    again = ir.make_closed(
        closed.jaxpr.invars,
        closed.jaxpr.outvars,
        closed.jaxpr.eqns,
        dict(zip(closed.jaxpr.constvars, closed.consts, strict=True)),
    )
    assert isinstance(again.jaxpr, Jaxpr)
    assert again.jaxpr.is_high == closed.jaxpr.is_high
    np.testing.assert_array_equal(jace.compile_jaxpr(again).call_direct(X)[0], jaxpr_as_fun(closed)(X)[0])
