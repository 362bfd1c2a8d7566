"""The one form of a jaxpr that tracing gives back."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr

from jace import ir

X = np.arange(3, dtype=np.float32)


def with_constant(constant: object) -> ClosedJaxpr:
    """x + c, with c a constant of the jaxpr, as a trace inside of another one leaves it."""
    opened = jax.make_jaxpr(lambda c, x: x + c)(jnp.float32(2), X).jaxpr
    c, x = opened.invars
    return ir.make_closed([x], opened.outvars, opened.eqns, {c: constant})


def test_scalar_constants_are_literals_and_unused_ones_gone() -> None:
    normal = ir.normal_form(with_constant(np.float32(2)))
    assert not normal.jaxpr.constvars
    assert ir.fingerprint(normal) == ir.fingerprint(jax.make_jaxpr(lambda x: x + np.float32(2))(X))
    assert ir.normal_form(normal) is normal


def test_a_value_of_a_trace_stays_a_constant() -> None:
    """Libraries keep rules that nothing calls any more, whose constants are values of a trace that is over."""
    kept: list[ClosedJaxpr | Jaxpr] = []

    def outer(c: object) -> object:
        kept.append(ir.normal_form(with_constant(c)))
        return c

    jax.make_jaxpr(outer)(jnp.float32(2))
    assert len(kept[0].consts) == 1
    assert isinstance(kept[0].consts[0], jax.core.Tracer)
