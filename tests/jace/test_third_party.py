"""Primitives of other libraries: whatever their lowering lets through is expanded, without knowing the library."""

from __future__ import annotations

import functools

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from jax._src.interpreters import mlir
from jax.extend.core import Primitive
from together import together

import jace
from jace import ir
from jace.jax_internals import lower_fun_of

X = np.linspace(0.1, 2.0, 6, dtype=np.float32)


def primitive(name, impl, rule, **platforms):
    """A primitive as a library would make one: abstract evaluation through `impl`, lowering by `rule`."""
    made = Primitive(name)
    made.multiple_results = True
    made.def_impl(impl)
    made.def_abstract_eval(
        lambda *avals, **params: [jax.core.ShapedArray(a.shape, a.dtype) for a in avals[:1]]
    )
    if rule is not None:
        mlir.register_lowering(made, rule, **platforms)
    return made


def doubled(x, *, factor=2.0, fun=None):
    return [jnp.sin(x) * factor if fun is None else fun(x)]


_rule = mlir.lower_fun(doubled)
LOWERINGS = {
    "lower-fun": _rule,
    "partial": functools.partial(_rule, factor=3.0),
    "wrapped": functools.wraps(_rule)(lambda ctx, *args, **params: _rule(ctx, *args, **params)),
}


@pytest.mark.parametrize("kind", LOWERINGS)
def test_lowerings_made_of_functions_are_expanded(kind):
    made = primitive(f"foreign_{kind}", doubled, LOWERINGS[kind])
    factor = 3.0 if kind == "partial" else 2.0
    closed = jax.make_jaxpr(lambda x: made.bind(x)[0] + 1)(X)
    np.testing.assert_allclose(
        jace.compile_jaxpr(closed).call_direct(X)[0], np.sin(X) * factor + 1, rtol=1e-6
    )


def test_a_default_lowering_stands_in_for_one_of_the_platform():
    made = primitive("foreign_two", doubled, mlir.lower_fun(doubled))
    mlir.register_lowering(made, lambda ctx, x: [x], platform="cpu")
    assert lower_fun_of(made) is not None


def test_other_lowerings_are_reported():
    made = primitive("foreign_other", doubled, lambda ctx, x: [x])
    with pytest.raises(jace.UnsupportedPrimitiveError, match="no rule"):
        jace.compile_jaxpr(jax.make_jaxpr(lambda x: made.bind(x))(X))


def test_a_function_that_cannot_be_traced_is_reported():
    made = primitive("foreign_numpy", doubled, mlir.lower_fun(lambda x: [np.sin(np.asarray(x))]))
    with pytest.raises(jace.UnsupportedPrimitiveError, match="cannot be traced: TracerArrayConversionError"):
        jace.compile_jaxpr(jax.make_jaxpr(lambda x: made.bind(x))(X))


def test_a_function_that_binds_its_own_primitive_is_no_expansion():
    made = primitive("foreign_loop", doubled, mlir.lower_fun(lambda x: made.bind(x)))
    with pytest.raises(jace.UnsupportedPrimitiveError, match="no rule"):
        jace.compile_jaxpr(jax.make_jaxpr(lambda x: made.bind(x))(X))


def test_functions_in_parameters_tell_programs_apart():
    made = primitive("foreign_fun", doubled, mlir.lower_fun(doubled))
    programs = [jax.make_jaxpr(lambda x, f=f: made.bind(x, fun=f))(X) for f in (jnp.sin, jnp.cos, jnp.sin)]
    first, second, again = map(ir.fingerprint, programs)
    assert first != second
    assert first == again
    for closed, expected in zip(programs, (np.sin(X), np.cos(X)), strict=False):
        np.testing.assert_allclose(jace.compile_jaxpr(closed).call_direct(X)[0], expected, rtol=1e-6)


@together
def test_equinox():
    def loop(kind):
        def run(x):
            step = lambda c: (c[0] + 1, c[1].at[c[0]].set(jnp.sin(c[1][c[0] - 1])))
            return eqxi.while_loop(
                lambda c: c[0] < 5, step, (1, x), kind=kind, buffers=lambda c: c[1], max_steps=16
            )

        return run

    check(lambda x: eqxi.nonbatchable(x) + eqxi.nondifferentiable_backward(x), X)
    check(lambda x: jax.vmap(lambda v: eqxi.unvmap_any(v > 1) & eqxi.unvmap_all(v > 0))(x), X)
    check(lambda x: eqxi.unvmap_max(x.astype(int)), X)
    check(loop("checkpointed"), X, pipelines=("fused",))
    check(jax.grad(lambda x: loop("checkpointed")(x)[1].sum()), X, pipelines=("fused",))
    check(jax.grad(lambda x: loop("bounded")(x)[1].sum()), X, pipelines=("fused",))
    check(lambda x: eqx.nn.MLP(6, 2, 8, 2, key=jax.random.key(0))(x), X)
