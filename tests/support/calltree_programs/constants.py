"""Programs: jnp and constants."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import logsumexp

from calltree_programs.base import M, X, normal, program


@program(M)
def literals(x):
    return (
        jnp.zeros((2, 3)),
        jnp.ones(3, dtype=jnp.int8),
        jnp.full((2,), 1.5, "float16"),
        jnp.arange(5),
        jnp.arange(1.0, 2.0, 0.25, dtype=jnp.float32),
        jnp.linspace(0, 1, 5),
        jnp.linspace(0, 1, num=4, endpoint=False, retstep=True),
        jnp.eye(3, k=1, dtype=bool),
        jnp.array([1, 2.5, 3]),
        jnp.array([[1, 2], [3, 4]], dtype=jnp.uint8),
        jnp.asarray(3),
        jnp.array([x[0, 0], 1.0, x[1, 1]]),
        jnp.stack([x, x * 2], axis=-1),
        jnp.concatenate((x, x), 0),
        jnp.where(x > jnp.inf, jnp.nan, x),
        jnp.where(x < -np.inf, 1e-30, -0.0),
        jnp.einsum("ij,kj->ik", x, x),
        jnp.einsum("ij->j", x, precision=lax.Precision.HIGHEST),
        jnp.pad(x, ((0, 1), (2, 0)), mode="edge"),
        jnp.sum(x, axis=(0, 1), dtype=jnp.float16),
        jnp.float32(3) * x,
        jnp.int32(x[0, 0]),
        jnp.bfloat16(1.5) + jnp.bfloat16(x),
        jnp.finfo(x.dtype).eps * x,
        x * np.pi + np.float32(1e-8),
        x + 1e300 * 0 + 123456789.123,
        x * True,
        x + 1j,
    )


CONSTANT = normal(3, 4)
JAX_CONSTANT = jnp.arange(4) * jnp.float32(0.5)
WEAK = jnp.asarray(2.5)
BIG = normal(40, 30)


@program(X)
def constants(x):
    local = np.arange(4, dtype=np.int8)
    weak = jnp.add(1, 2)
    return (
        x + CONSTANT,
        CONSTANT @ x,
        x * JAX_CONSTANT,
        JAX_CONSTANT * 2,
        x * WEAK,
        WEAK + 1,
        x + local,
        local * WEAK,
        x + np.float64(0.1),
        x.astype(jnp.float16) * WEAK,
        x.astype(jnp.float16) * weak,
        BIG[:, :4] @ x,
        jnp.asarray(BIG).sum() + x,
        np.bool_(True) & (x > 0),
        x + np.array(2),
        x * np.array([], np.float32).sum(),
    )


ONE, NONE = np.array([1.0]), np.zeros((1, 0), np.int64)


@program(X)
def constants_of_few_elements(x):
    """The same array is the same constant, whatever its size."""
    a = x * ONE + jnp.log(ONE) + jnp.asarray(np.array([1.0]))
    return a / ONE, jnp.take(x, NONE).sum() + jnp.take(x, NONE + 0).max(initial=3.0) + jnp.take(x, NONE).sum()


@program(X)
def dead_constants(x):
    """`jnp.insert` has an operation of a level of its own (jax 0.12): JAX leaves out what is computed in vain."""
    unused = x.take(jnp.array(NONE), axis=0, mode="wrap")
    return jnp.insert(x * 2, 0, x[1] + unused.sum() * 0), jnp.take(x, np.array([2, 1]))


@program(X)
def defaults_as_operands(x):
    """A number that a jitted function is given is an operand, its default is none."""
    return jax.nn.standardize(x, epsilon=1e-5), jax.nn.standardize(x), jnp.round(x, decimals=0)


@program(X)
def constants_in_functions(x):
    table = np.linspace(0, 1, 4, dtype=np.float32)
    moved = jnp.asarray(table) * 2

    def body(c, k):
        return c * table + moved * k, (c + CONSTANT[0]).sum()

    return (
        lax.scan(body, x, jnp.arange(3.0)),
        jax.vmap(lambda v: v * table)(x),
        jax.grad(lambda v: (v * JAX_CONSTANT * WEAK).sum())(x),
    )


@program(M, X)
def library_functions(x, v):
    return (
        jax.nn.relu(x),
        jax.nn.softmax(x, axis=-1),
        jax.nn.gelu(x, approximate=False),
        jax.nn.one_hot(jnp.array([0, 2]), 4),
        jax.nn.silu(v),
        jax.nn.log_softmax(x),
        jax.scipy.special.logsumexp(x, axis=0),
        logsumexp(v, b=jnp.ones(4)),
        jax.scipy.stats.norm.logpdf(v),
        jnp.linalg.norm(x, axis=1),
        jnp.linalg.solve(x @ x.T + jnp.eye(3), x[:, 0]),
        jnp.fft.fft(v),
        jnp.fft.rfft(v, n=6),
        lax.dot_general(x, x, (((1,), (1,)), ((), ()))),
        lax.dynamic_slice(x, (0, 1), (2, 2)),
        lax.conv(x[None, None], jnp.ones((1, 1, 2, 2)), (1, 1), "SAME"),
        lax.top_k(v, 2),
        lax.rsqrt(jnp.abs(v)),
        lax.stop_gradient(v) * v,
        lax.reduce(v, 0.0, lax.add, (0,)),
        lax.select(v > 0, v, -v),
        jax.image.resize(x, (6, 8), "bilinear"),
        jax.ops.segment_sum(v, jnp.array([0, 0, 1, 1]), num_segments=2),
        jnp.unique(v, size=4, return_counts=True),
        jnp.histogram(v, bins=3),
        jnp.interp(v, jnp.arange(4.0), v),
        jnp.convolve(v, jnp.ones(2)),
        jnp.vander(v, 3),
        jnp.polyfit(jnp.arange(4.0), v, 1),
        jnp.select([v > 0, v < -1], [v, -v], 0.5),
        jnp.piecewise(v, [v > 0], [lambda t: t * 2, lambda t: -t]),
        jnp.apply_along_axis(jnp.sum, 0, x),
        jnp.frompyfunc(lambda a, b: a * b + 1, 2, 1)(v, v),
        jnp.add.reduce(x, axis=0),
        jnp.add.accumulate(v),
        jnp.multiply.outer(v, v),
        jnp.vectorize(lambda a: a * 2)(v),
        jnp.searchsorted(jnp.sort(v), 0.5),
        jnp.percentile(v, 30.0),
        jnp.divmod(v, 2.0),
        jnp.modf(v),
    )
