"""jace_call under JAX's transformations: each result against the same function without jace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend.core import Primitive, jaxpr_as_fun

import jace
from jace.primitive.bind import jace_call_p


def plain(x: Any, y: Any) -> Any:
    return jnp.sin(x) * y + x, x * 2


compiled = jace.jit(plain)
X, Y = np.linspace(0.5, 2.0, 6).reshape(2, 3), np.full((2, 3), 1.5)


def scalar(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: jnp.sum(f(x, y)[0] * 3.0)


def scanned(f: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Any, y: Any) -> Any:
        return jax.lax.scan(lambda c, _: (f(c, y)[0] * 0.1, f(c, y)[1]), x, None, length=3)

    return run


def checkpointed(f: Callable[..., Any]) -> Callable[..., Any]:
    inner = jax.checkpoint(lambda x, y: f(x, jnp.cos(f(x, y)[0])))
    return lambda x, y: jnp.sum(inner(x, y)[0])


TRANSFORMS: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "call": lambda f: f,
    "jit": jax.jit,
    "grad": lambda f: jax.grad(scalar(f), (0, 1)),
    "jit-grad": lambda f: jax.jit(jax.grad(scalar(f))),
    "grad-jit": lambda f: jax.grad(jax.jit(scalar(f)), 1),
    "value-and-grad": lambda f: jax.value_and_grad(scalar(f)),
    "hessian": lambda f: jax.hessian(scalar(f)),
    "jvp": lambda f: lambda x, y: jax.jvp(f, (x, y), (y, x)),
    "jvp-of-one": lambda f: lambda x, y: jax.jvp(lambda x: f(x, y), (x,), (y,)),
    "vjp": lambda f: lambda x, y: jax.vjp(f, x, y)[1]((x, y)),
    "linearize": lambda f: lambda x, y: jax.linearize(f, x, y)[1](y, x),
    "vmap": jax.vmap,
    "vmap-one": lambda f: jax.vmap(f, (0, None), 1),
    "vmap-grad": lambda f: jax.vmap(jax.grad(scalar(f))),
    "grad-vmap": lambda f: jax.grad(scalar(jax.vmap(f))),
    "jacfwd": lambda f: jax.jacfwd(f),
    "scan": scanned,
    "grad-scan": lambda f: jax.grad(lambda x, y: jnp.sum(scanned(f)(x, y)[0]), (0, 1)),
    "jit-grad-scan": lambda f: jax.jit(jax.grad(lambda x, y: jnp.sum(scanned(f)(x, y)[1]))),
    "grad-checkpoint": lambda f: jax.grad(checkpointed(f), (0, 1)),
    "jit-grad-checkpoint": lambda f: jax.jit(jax.grad(checkpointed(f))),
    "cond": lambda f: lambda x, y: jax.lax.cond(x.sum() > 0, f, lambda x, y: (x, y), x, y),
    "nested": lambda f: jace.jit(lambda x, y: f(*f(x, y))),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transformation(name: str) -> None:
    transform = TRANSFORMS[name]
    with jax.enable_x64(True):
        got, want = transform(compiled)(X, Y), transform(plain)(X, Y)
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert g.dtype == w.dtype
        np.testing.assert_allclose(g, w, rtol=1e-13, atol=1e-13)


def calls(jaxpr: Any) -> list[str]:
    return [eqn.params["name"] for eqn in jaxpr.eqns if eqn.primitive is jace_call_p] + [
        name for eqn in jaxpr.eqns if eqn.primitive.name == "jit" for name in calls(eqn.params["jaxpr"].jaxpr)
    ]


def test_backward_pass_is_compiled_too() -> None:
    jaxpr = jax.make_jaxpr(jax.grad(scalar(compiled)))(X, Y)
    assert calls(jaxpr.jaxpr) == ["plain_fwd", "plain_lin_t"]


def test_integer_arguments_have_no_tangents() -> None:
    f = jace.jit(lambda x, n: (x * n, n + 1))
    assert jax.grad(lambda x: f(x, 3)[0])(2.0) == 3.0
    primals, tangents = jax.jvp(f, (2.0, 3), (1.0, np.zeros((), jax.dtypes.float0)))
    assert (primals[0], primals[1]) == (6.0, 4)
    assert tangents[0] == 3.0
    assert tangents[1].dtype == jax.dtypes.float0
    assert jax.grad(lambda n: f(2.0, n)[0], allow_int=True)(3).dtype == jax.dtypes.float0


@pytest.mark.parametrize("pipeline", ["fused", "canonical/simplify"])
def test_tangents_of_integers_go_in_and_out(pipeline: str) -> None:
    """float0, JAX's type without a value, is what XLA passes as booleans."""
    none = np.zeros((3,), jax.dtypes.float0)
    gradient = jax.grad(lambda i, x: jnp.sum(x) * i, argnums=(0, 1), allow_int=True)
    compiled = jace.jit(gradient, pipeline=pipeline)
    got = compiled(jnp.int32(3), jnp.arange(3.0))
    assert got[0].dtype == jax.dtypes.float0
    np.testing.assert_array_equal(got[1], [3.0, 3.0, 3.0])
    batched = jax.vmap(compiled)(jnp.arange(2), jnp.ones((2, 3)))
    assert (batched[0].dtype, batched[0].shape) == (jax.dtypes.float0, (2,))
    passed, more = jace.jit(lambda t, x: (t, x + 1), pipeline=pipeline)(none, jnp.arange(3.0))
    assert (passed.dtype, passed.shape) == (jax.dtypes.float0, (3,))
    np.testing.assert_array_equal(more, [1.0, 2.0, 3.0])
    ahead = jace.jit(lambda t, x: (t, x + 1), pipeline=pipeline).lower(none, jnp.arange(3.0)).compile()
    assert [out.dtype for out in ahead(none, jnp.arange(3.0))] == [jax.dtypes.float0, np.float32]


def test_typed_keys_go_in_and_out() -> None:
    key = jax.random.key(7)

    def draw(key: Any) -> Any:
        first, second = jax.random.split(key)
        return jax.random.uniform(first, (3,)), second

    got, want = jace.jit(draw)(key), draw(key)
    np.testing.assert_array_equal(got[0], want[0])
    assert got[1].dtype == key.dtype
    assert (jax.random.key_data(got[1]) == jax.random.key_data(want[1])).all()
    batched = jax.vmap(jace.jit(draw))(jax.random.split(key, 4))
    assert batched[1].shape == (4,)


def test_closing_over_tracers_of_an_outer_transformation() -> None:
    def outer(x: Any) -> Any:
        return jace.jit(lambda y: x * y)(x + 1.0)

    assert jax.grad(outer)(2.0) == 5.0


def test_dead_results_are_not_computed() -> None:
    unknown: Any = Primitive("unknown")  # without a rule
    unknown.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
    f = jace.jit(lambda x, y: (x + 1.0, unknown.bind(y)))
    lowered = jax.jit(lambda x, y: f(x, y)[0])
    with pytest.raises(jace.UnsupportedPrimitiveError):
        f(1.0, np.eye(2))
    jaxpr = jax.make_jaxpr(lowered)(1.0, np.eye(2))
    from jax.interpreters import partial_eval as pe

    alive, used = pe.dce_jaxpr(jaxpr.jaxpr, [True])
    assert used == [True, False]
    assert calls(alive) == ["<lambda>"]


def test_large_constants_are_operands_and_small_ones_are_not() -> None:
    large, small = np.arange(100.0), np.arange(3)
    traced = jace.jit(lambda x: (x + large)[small]).trace(np.zeros(100))
    program = traced.lower().compiler_ir("jaxpr")
    assert [aval.shape for aval in program.in_avals] == [(100,), (100,)]
    assert [np.shape(c) for c in program.consts if np.size(c) > 64] == []
    assert [aval.shape for aval in traced.jaxpr.in_avals] == [(100,)]  # as the user traced it
    np.testing.assert_array_equal(jaxpr_as_fun(traced.jaxpr)(np.ones(100))[0], (1 + large)[small])


def test_other_platforms_are_refused_clearly() -> None:
    traced = jax.jit(compiled).trace(X, Y)
    with pytest.raises(jace.JaceError, match="CPU only"):
        traced.lower(lowering_platforms=("cuda",))


def test_a_program_of_another_process_is_an_error_not_a_crash() -> None:
    from jace.build import shim

    shim.load()
    call = jax.ffi.ffi_call(shim.TARGET, jax.ShapeDtypeStruct((2,), np.float32))
    with pytest.raises(Exception, match="not loaded in this process"):
        jax.block_until_ready(call(np.zeros(2, np.float32), key=np.int64(12345)))
    with pytest.raises(Exception, match="no 64-bit 'key'"):
        jax.block_until_ready(call(np.zeros(2, np.float32)))
