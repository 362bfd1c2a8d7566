"""Programs: jit."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

from calltree_programs.base import M, X, Y, program


@functools.partial(jax.jit, static_argnums=(1,), static_argnames=("mode",))
def with_static(x, n, *, mode="up"):
    for _ in range(n):
        x = x * 2 if mode == "up" else x / 2
    return x


@jax.jit
def plain_jit(x, y=1.0):
    return jnp.sin(x) * y


@functools.partial(jax.jit, inline=True)
def inlined(x):
    return x * 3 - 1


@functools.partial(jax.jit, donate_argnums=(0,))
def donated(x, y):
    return x + y


@program(X, M)
def nested_jit(x, m):
    anonymous = jax.jit(lambda v: v * 2 + x.sum())

    @jax.jit
    def local(v, w):
        return {"s": v + w, "p": plain_jit(v)}

    return (
        plain_jit(x),
        plain_jit(x),
        plain_jit(m, y=2.0),
        plain_jit(x, x),
        plain_jit(y=x, x=x),
        with_static(x, 2),
        with_static(x, 3, mode="down"),
        with_static(m, 1),
        inlined(x) + inlined(m),
        donated(x + 0, x),
        anonymous(x),
        anonymous(m),
        local(x, 1),
        local(m[0], w=x),
        jax.jit(jnp.sin)(x),
        jax.jit(plain_jit)(x),
        jax.vmap(plain_jit)(m),
        jax.grad(lambda v: plain_jit(v).sum())(x),
        jax.jit(jax.grad(lambda v: plain_jit(v).sum()))(x),
        jax.jit(jax.vmap(lambda v: v * 2))(m),
    )


@program(np.float32(2.0), (3, "down"), X, name="static_arguments", jit={"static_argnums": (1,)})
def main_with_static(a, how, x):
    n, mode = how
    return with_static(x * a, n, mode=mode)


@program(X, jit={"static_argnames": ("axis", "reverse")}, kwargs={"axis": 0, "reverse": True})
def static_keywords(x, axis, reverse):
    return jnp.flip(jnp.cumsum(x, axis), axis) if reverse else x


@program(X.copy(), Y, jit={"donate_argnums": (0,)})
def donated_arguments(x, y):
    return x * y


@program(X, Y, jit={"keep_unused": True})
def unused_arguments(x, y):
    return x * 2


@program(X, Y)
def dropped_arguments(x, y):
    return y * 2
