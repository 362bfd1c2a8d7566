"""Programs: contexts."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import M, X, program


@program(M)
def matmul_precision(x):
    with jax.default_matmul_precision("float32"):
        a = x @ x.T
        b = jax.vmap(lambda row: row @ x.T)(x)
    with jax.default_matmul_precision("bfloat16"):
        a = a + x @ x.T
    return a, b, x @ x.T


@program(X)
def dtype_promotion(x):
    y = x + np.ones(4, np.int32)
    with jax.numpy_dtype_promotion("strict"):
        z = y * 2 + x
        w = jnp.sin(z).sum()
    return w + y


@program(X)
def wide_types(x):
    with jax.enable_x64(True):
        y = jnp.arange(3.0) * 0.1
        total = y.sum() + jnp.float64(2)
    return x * 2, total, y


@program(X)
def context_in_a_function(x):
    def f(v):
        with jax.default_matmul_precision("float32"):
            return jax.grad(lambda u: u @ u)(v)

    @jax.default_matmul_precision("tensorfloat32")
    def decorated(v):
        return v @ v

    with jax.default_matmul_precision("bfloat16"):
        a = lax.scan(lambda c, _: (c * (c @ x), None), x, None, length=2)[0]
    return f(x), decorated(x), a, lax.map(lambda v: v * decorated(x), x)


@program(M)
def context_around_an_argument(x):
    """The argument is computed before the context is entered."""

    def accurate(v):
        with jax.default_matmul_precision("highest"):
            return v @ x

    return accurate(x @ x.T)


TABLE = jnp.arange(5) * 3


@program(X, np.int32(2))
def folded_constants(x, i):
    """What JAX adds to a program under `ensure_compile_time_eval` are arrays, not literals."""

    def look(k):
        with jax.ensure_compile_time_eval():
            assert np.all(TABLE > -1)
            return TABLE[k], jnp.arange(4) * 2

    return look(i + 1), lax.cond(i > 0, lambda: x * look(i)[0], lambda: x)


@program(X)
def rank_promotion(x):
    with jax.numpy_rank_promotion("allow"):
        y = x + jnp.ones((2, 4))
    with jax.debug_nans(False), jax.named_scope("here"):
        return y * 2
