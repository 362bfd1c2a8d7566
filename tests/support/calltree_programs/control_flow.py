"""Programs: control flow."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import M, X, program


@program(X, M, np.int32(3))
def scans(x, m, n):
    scale = x * 2

    def cell(carry, row):
        h, count = carry
        h = jnp.tanh(h * scale + row)
        return (h, count + 1), {"h": h, "n": count * n}

    return (
        lax.scan(cell, (x, 0), m),
        lax.scan(cell, (x, 0), m, reverse=True, unroll=2),
        lax.scan(lambda c, _: (c * 0.5, None), x, None, length=4),
        lax.scan(lambda c, s: (c, s[0] * s[1]["a"]), 0.0, (m, {"a": m})),
        lax.scan(f=lambda c, s: (c + s, c), init=jnp.zeros(4), xs=m),
        lax.map(lambda row: row @ x, m),
        lax.map(lambda row: row * scale, m, batch_size=2),
        lax.associative_scan(jnp.add, m),
        lax.associative_scan(lambda a, b: a * b + a, m, reverse=True, axis=1),
        jax.grad(lambda v: lax.scan(lambda c, s: (c * s + v, c), v, m)[0].sum())(x),
    )


@program(X, np.int32(3))
def loops(x, n):
    limit = x.sum() + 100

    return (
        lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2 + limit), (0, x)),
        lax.fori_loop(0, 4, lambda i, a: a.at[i].add(i), x),
        lax.fori_loop(0, n, lambda i, a: a * x + i, x),
        lax.fori_loop(1, 3, lambda i, a: lax.fori_loop(0, i, lambda j, b: b + j * x[0], a), x),
        lax.while_loop(cond_fun=lambda v: v < limit, body_fun=lambda v: v * 2 + 1, init_val=1.0),
        lax.fori_loop(0, 3, lambda _, c: (c[1], c[0] + c[1]), (1, 1), unroll=True),
    )


@program(np.int32(1), X)
def branches(i, x):
    y = x * 2

    def positive(v):
        return v + y

    def negative(v):
        return v - y

    return (
        lax.cond(i > 0, positive, negative, x),
        lax.cond(i > 0, lambda: y, lambda: x),
        lax.cond(x[0] > 0, lambda a, b: a * b, lambda a, b: a - b, x, y),
        lax.switch(i, [jnp.sin, jnp.cos, positive], x),
        lax.switch(i, (lambda v: v, lambda v: y * v, negative), x),
        lax.cond(i > 0, positive, positive, x),
        lax.cond(True, positive, negative, x),
        lax.select(i > 0, x, y),
        jax.vmap(lambda p, v: lax.cond(p > 0, jnp.sin, jnp.cos, v))(x, x),
        lax.cond(i > 0, lambda t: {"a": t[0]}, lambda t: {"a": t[1]}, (x, y)),
        lax.cond(i > 0, lambda v: lax.cond(v[0] > 0, lambda: v + y, lambda: v), lambda v: -v, x),
    )


@program(X)
def branches_with_operands_of_their_own(x):
    return lax.cond(x.sum() > 0, x, lambda v: v + 1, (x, 2.0), lambda pair: pair[0] * pair[1])


@program(X, M)
def python_loops(x, m):
    history = []
    for k in range(3):
        x = x * m[k] + k
        history.append(x)
        if x.ndim == 1 and k % 2:
            x = x - 1
    total = 0
    for h in history:
        total += h
    functions = [lambda v, k=k: v * k for k in range(3)]
    made = [jax.vmap(lambda v, k=k: v + k)(x) for k in range(2)]
    return (
        x,
        total,
        [f(x) for f in functions],
        made,
        {k: jax.grad(lambda v, k=k: (v * k).sum())(x) for k in (1, 2)},
    )
