"""Programs: values and functions that inner functions capture."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from calltree_programs.base import X, program


@program(X)
def pending_captured(x):
    def helper(v):
        return v[::-1]

    z = helper(x)
    return jax.grad(lambda u: (u * z).sum())(x)


@program(X)
def grad_in_grad(x):
    return jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(x[1])


@program(X)
def grad_in_grad_named(x):
    y = x[1]
    return jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(y)


@program(X)
def kwarg_and_captured_root(x):
    def outer(c):
        @jax.jit
        def body(v, c_):
            return c["a"] * c_ + v

        @jax.jit
        def body2(v, c):
            return c * v * d

        d = c["a"]
        return body(c["a"], c_=x), body2(d, c=x)

    return lax.map(outer, {"a": x})


@program(X)
def kwarg_and_captured_root2(x):
    def outer(c):
        d = c

        @jax.jit
        def body2(v, c):
            return c * v * d["a"]

        return body2(d["a"], c=x)

    return lax.map(outer, {"a": x})


@program(X)
def two_levels_of_jit(x):
    @jax.jit
    def out(x):
        return x * 2

    out = jax.jit(out)(x)
    return out


@program(X)
def local_custom_in_two_scopes(x):
    y = x * 2

    @jax.custom_jvp
    def body(v):
        return v * y

    body.defjvp(lambda p, t: (body(p[0]), t[0]))
    return (
        lax.map(body, x[None]),
        lax.cond(x[0] > 0, body, jnp.sin, x),
        lax.scan(lambda c, s: (body(c), s), x, x),
        body(x),
    )


@program(X)
def local_custom_in_rule(x):
    y = x * 2

    @jax.custom_jvp
    def inner(v):
        return v * y

    inner.defjvp(lambda p, t: (inner(p[0]), t[0]))

    @jax.custom_jvp
    def outer(v):
        return inner(v) + v

    outer.defjvp(lambda p, t: (outer(p[0]), inner(t[0])))
    return jax.vmap(lambda v: outer(v))(x[None]), jax.vmap(lambda v: inner(v))(x[None])
