"""Programs: what JAX does not trace again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from calltree_programs.base import M, X, program


@program(X, M)
def cached_trace_checkpoint(x, m):
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v)

    g = jax.checkpoint(f)
    return g(x), g(m), g(x), jax.checkpoint(f)(m), jax.checkpoint(f)(x)


@program(X, M)
def cached_trace_scan(x, m):
    def cell(c, s):
        return (c + s.sum(), c) if s.ndim == 0 else (c + s.mean(), s * 2)

    return lax.scan(cell, 0.0, x), lax.scan(cell, 0.0, m), lax.scan(cell, 0.0, x), lax.scan(cell, 0.0, m)


@program(X, M)
def cached_trace_cond(x, m):
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).mean()

    return (
        [lax.cond(x[0] > 0, f, jnp.sum, v) for v in (x, m, x, m)],
        [lax.while_loop(lambda c: c[0] < 2, lambda c, v=v: (c[0] + 1, f(v)), (0, 0.0)) for v in (x, m, x)],
        [lax.map(f, v) for v in (m, m[None], m)],
    )


@program(X, M)
def cached_trace_jit(x, m):
    @jax.jit
    def f(v, n=2):
        return v.sum() * n if v.ndim == 1 else jnp.sin(v)

    return [f(v) for v in (x, m, x, m)], f(x, n=3), f(m, 4), f(x)


@program(X, M)
def cached_trace_custom(x, m):
    @jax.custom_vjp
    def f(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).sum()

    f.defvjp(lambda v: (f(v), v), lambda r, g: (g * r if r.ndim == 1 else r * 2,))

    @jax.custom_jvp
    def h(v):
        return v.sum() if v.ndim == 1 else jnp.sin(v).sum()

    h.defjvp(lambda p, t: (h(p[0]), t[0].sum()))
    return (
        [f(v) for v in (x, m, x)],
        [jax.grad(f)(v) for v in (x, m, x)],
        [h(v) for v in (x, m, x)],
        [jax.grad(h)(v) for v in (x, m, x)],
    )


@program(X, M)
def cached_dtype(x, m):
    def f(v):
        return v * 2 if v.dtype == jnp.float32 else v + 1

    return [jax.checkpoint(f)(v) for v in (x, x.astype(int), x)], [
        jax.checkpoint(lambda v, n: v * n if isinstance(n, int) else v - n)(x, n) for n in (2, 2.0, 2)
    ]


@program(X)
def cached_kwargs(x):
    @jax.checkpoint
    def f(a, b=1.0):
        return a * b

    return f(x), f(x, b=x), f(x, x), f(b=x, a=x), f(x)


@program(X)
def config_dependent(x):
    def f(v):
        return v @ v

    out = [jax.checkpoint(f)(x)]
    with jax.default_matmul_precision("float32"):
        out.append(jax.checkpoint(f)(x))
    out.append(jax.checkpoint(f)(x))
    return out
