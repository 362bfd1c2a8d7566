"""Loops and branches: scan, while, cond and what is built of them, with derivatives and batching."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_same
from both_ways import PIPELINES, by_xla, check, on_pipelines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax
from together import together

import jace

SETTINGS = settings(
    max_examples=10, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
X = np.linspace(-1.5, 2.0, 12, dtype=np.float32).reshape(4, 3)
N = np.int32(3)

SCANS = {
    "length-0": lambda x, n: lax.scan(lambda c, r: (c + r, c * 2), x[0], x[:0]),
    "length-1": lambda x, n: lax.scan(lambda c, r: (c + r, c * 2), x[0], x[:1]),
    "without-xs": lambda x, n: lax.scan(lambda c, _: (c * 2, c.sum()), x, None, length=3),
    "without-ys": lambda x, n: lax.scan(lambda c, r: (c + r, None), x[0], x),
    "without-carry": lambda x, n: lax.scan(lambda _, r: (None, r * 2), None, x),
    "reverse": lambda x, n: lax.scan(lambda c, r: (c * 0.5 + r, c), x[0], x, reverse=True),
    "unrolled": lambda x, n: lax.scan(lambda c, r: (c * 0.5 + r, c), x[0], x, unroll=3),
    "unrolled-fully": lambda x, n: lax.scan(lambda c, r: (c * 0.5 + r, c), x[0], x, unroll=True),
    "unrolled-reverse": lambda x, n: lax.scan(lambda c, r: (c + r, c), x[0], x, unroll=2, reverse=True),
    "consts": lambda x, n: lax.scan(lambda c, r: (c @ (x.T @ x) * 0.1 + n, r * n), x[0], x),
    "dtypes-of-ys": lambda x, n: lax.scan(
        lambda c, r: (c + 1, (c.astype(jnp.int8), r > 0, r.astype(jnp.bfloat16), r * 1j, c)), n, x
    ),
    "tree-of-carries": lambda x, n: lax.scan(
        lambda c, r: ({"a": c["b"], "b": (c["a"][0] + r, c["b"][1])}, c["a"]),
        {"a": (x[0], n), "b": (x[1], n + 1)},
        x,
    ),
    "bool-carry": lambda x, n: lax.scan(lambda c, r: (c ^ (r > 0), c), x[0] > 1, x),
    "key-carry": lambda x, n: lax.scan(
        lambda k, r: (jax.random.split(k)[0], jax.random.uniform(k, (3,)) + r), jax.random.key(n), x
    ),
    "key-xs-and-ys": lambda x, n: lax.scan(
        lambda c, k: (c + jax.random.bits(k), jax.random.fold_in(k, c)),
        jnp.uint32(0),
        jax.random.split(jax.random.key(1), 3),
    ),
    "carry-swapped": lambda x, n: lax.scan(lambda c, r: ((c[1], c[0]), c[0] + r), (x[0], x[1]), x),
    "carry-forwarded": lambda x, n: lax.scan(lambda c, r: ((c[0], c[1] + r), c[0]), (x[0], x[1]), x),
    "ys-is-xs": lambda x, n: lax.scan(lambda c, r: (c, (r, c, r)), x[0], x),
    "nested": lambda x, n: lax.scan(
        lambda c, r: lax.scan(lambda d, v: (d * v + 1, d), c, r), jnp.float32(0), x
    ),
    "update-in-place": lambda x, n: lax.scan(
        lambda c, k: (c.at[k].set(c[k - 1] + c[(k + 1) % 4]), c[k]), x, jnp.arange(4)
    ),
    "read-after-update": lambda x, n: lax.fori_loop(0, 3, lambda k, a: a.at[k].set(a[0]) - a, x),
    "empty-arrays": lambda x, n: lax.scan(lambda c, r: (c, r), x[:, :0], x[:, :0]),
    "associative": lambda x, n: lax.associative_scan(jnp.add, x),
    "associative-reverse": lambda x, n: lax.associative_scan(
        lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x + 1), axis=1, reverse=True
    ),
    "map": lambda x, n: lax.map(lambda r: jnp.outer(r, r) * n, x),
    "map-batched": lambda x, n: lax.map(lambda r: r.sum() * n, x, batch_size=3),
}

WHILES = {
    "zero-iterations": lambda x, n: lax.while_loop(lambda c: c.sum() > 1e6, lambda c: c * 2, x),
    "zero-iterations-beside-a-use": lambda x, n: (
        lax.while_loop(lambda c: c[0] > 9, lambda c: (c[0] + 1, c[1] * 2), (n, x))[1] + x
    ),
    "consts": lambda x, n: lax.while_loop(
        lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] @ (x.T @ x) * 0.1), (0, x)
    ),
    "condition-reads-the-array": lambda x, n: lax.while_loop(
        lambda c: (c**2).sum() < 99, lambda c: c * 1.5 + 0.1, x
    ),
    "nested": lambda x, n: lax.while_loop(
        lambda c: c[0] < 3,
        lambda c: (c[0] + 1, lax.while_loop(lambda d: d.sum() < c[0] * 9.0, lambda d: d + 1, c[1])),
        (0, x),
    ),
    "swap": lambda x, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[2], c[1] * 2), (0, x, -x)),
    "bool-carry": lambda x, n: lax.while_loop(
        lambda c: ~c[0], lambda c: (c[1] > 3, c[1] + 1), (False, n - 3)
    ),
    "key-carry": lambda x, n: lax.while_loop(
        lambda c: c[0] < n, lambda c: (c[0] + 1, jax.random.fold_in(c[1], c[0])), (0, jax.random.key(0))
    ),
    "small-counters": lambda x, n: lax.while_loop(lambda c: c > 0, lambda c: c + jnp.int8(9), jnp.int8(3)),
    "fori-static": lambda x, n: lax.fori_loop(1, 5, lambda k, c: c.at[k % 4].multiply(k), x),
    "fori-dynamic": lambda x, n: lax.fori_loop(n - 2, n + 2, lambda k, c: c + k, x),
    "fori-empty": lambda x, n: lax.fori_loop(n, 0, lambda k, c: c + k, x),
    "fori-unrolled": lambda x, n: lax.fori_loop(0, 5, lambda k, c: c * 2 + k, x, unroll=2),
    "in-a-scan": lambda x, n: lax.scan(
        lambda c, r: (lax.while_loop(lambda d: d < 9, lambda d: d * 2 + 1, c + n), r), n, x
    ),
    "batched-predicate": lambda x, n: jax.vmap(
        lambda r: lax.while_loop(
            lambda c: c[0].sum() < 9, lambda c: (c[0] + c[1], c[1] * 2 + 1, c[2] + 1), (r, r**2, 0)
        )
    )(x),
    "batched-body-only": lambda x, n: jax.vmap(
        lambda r: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2 + r), (0, r))
    )(x),
    "batched-consts-of-condition": lambda x, n: jax.vmap(
        lambda r, m: lax.while_loop(lambda c: c < m, lambda c: c + 2, r[0])
    )(x, x.sum(1)),
    "batched-twice": lambda x, n: jax.vmap(
        jax.vmap(lambda v: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] * 2 + 1, c[1] + 1), (v, 0)))
    )(jnp.abs(x)),
    "batched-update-in-place": lambda x, n: jax.vmap(
        lambda r: lax.while_loop(
            lambda c: c[0] < c[1][0], lambda c: (c[0] + 1, c[1].at[1].add(c[1][2])), (0, r)
        )
    )(x),
    "batched-zero-lanes": lambda x, n: jax.vmap(
        lambda v: lax.while_loop(lambda c: c < 5, lambda c: c * 2, v)
    )(x[0, :0]),
}

CONDS = {
    "cond": lambda x, n: lax.cond(n > 2, lambda v: v * 2, lambda v: v - 1, x),
    "cond-of-a-literal": lambda x, n: lax.cond(True, lambda v: v * 2, lambda v: v - 1, x),
    "cond-of-numbers": lambda x, n: lax.cond(n, lambda v: v * 2, lambda v: v - 1, x),
    "no-operands": lambda x, n: lax.cond(n > 2, lambda: jnp.ones(3), lambda: jnp.zeros(3)),
    "closures": lambda x, n: lax.cond(x[0, 0] > 0, lambda: x * n, lambda: x),
    "same-result": lambda x, n: lax.cond(n > 2, lambda v: (v, v), lambda v: (v, v * 0), x),
    "swapped-results": lambda x, n: lax.cond(n > 2, lambda a, b: (b, a), lambda a, b: (a, b), x, -x),
    "constants": lambda x, n: lax.cond(n > 2, lambda: (1, 2.0, True), lambda: (3, 4.0, False)),
    "keys": lambda x, n: lax.cond(n > 2, lambda k: jax.random.split(k)[0], lambda k: k, jax.random.key(n)),
    "switch": lambda x, n: lax.switch(n, [jnp.sin, jnp.cos, jnp.tan, jnp.exp], x),
    "switch-too-large": lambda x, n: lax.switch(n + 9, [jnp.sin, jnp.cos], x),
    "switch-negative": lambda x, n: lax.switch(n - 9, [jnp.sin, jnp.cos], x),
    "switch-of-one": lambda x, n: lax.switch(n, [jnp.sin], x),
    "switch-of-uint8": lambda x, n: lax.switch(n.astype(jnp.uint8) + 200, [jnp.sin, jnp.cos, jnp.exp], x),
    "nested": lambda x, n: lax.cond(
        n > 2,
        lambda v: lax.switch(n - 2, [jnp.sin, jnp.cos], v),
        lambda v: lax.cond(n < 0, jnp.exp, jnp.tan, v),
        x,
    ),
    "in-a-loop": lambda x, n: lax.fori_loop(
        0,
        6,
        lambda k, c: lax.switch(k % 3, [lambda v: v + k, lambda v: v * 2, lambda v: v.at[k % 4].set(0)], c),
        x,
    ),
    "loop-inside": lambda x, n: lax.cond(
        n > 2,
        lambda v: lax.fori_loop(0, n, lambda k, c: c + k, v),
        lambda v: lax.scan(lambda c, r: (c, r), 0, v)[1],
        x,
    ),
    "batched-index": lambda x, n: jax.vmap(
        lambda r: lax.switch(r[0].astype(int), [jnp.sin, jnp.cos, lambda v: v * 2], r)
    )(x),
    "batched-operands": lambda x, n: jax.vmap(lambda r: lax.cond(n > 2, jnp.sin, jnp.cos, r))(x),
    "platform-dependent": lambda x, n: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos),
    "platform-default": lambda x, n: lax.platform_dependent(x, tpu=jnp.sin, default=jnp.cos),
    "select-both": lambda x, n: lax.cond(n > 2, lambda v: v[::-1], lambda v: jnp.flip(v, 1), x),
}

PROGRAMS = {
    f"{kind}-{name}": f
    for kind, table in {"scan": SCANS, "while": WHILES, "cond": CONDS}.items()
    for name, f in table.items()
}


@together
@pytest.mark.parametrize("name", PROGRAMS)
def test_control_flow(name):
    check(PROGRAMS[name], X, N)


def power_iteration(x):
    def step(c, r):
        return jnp.tanh(c * r + 1), (c * r).sum()

    return lax.scan(step, x[0], x)[1].sum()


def rematerialised(x):
    step = jax.checkpoint(
        lambda c, r: (jnp.sin(c * r), jnp.cos(c)),
        policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
    )
    return lax.scan(step, x[0], x)[1].sum()


def bounded_while(x):
    return lax.fori_loop(0, 4, lambda k, c: jnp.sin(c) * x, x).sum()


def branching(x):
    return lax.switch(jnp.int32(x[0, 0] * 0 + 1), [jnp.sin, lambda v: v**3, jnp.exp], x).sum()


def mapped(x):
    return lax.map(lambda r: jnp.prod(jnp.cos(r)), x).sum()


def prefix(x):
    return (lax.associative_scan(jnp.multiply, x, axis=0) ** 2).sum()


DIFFERENTIABLE = [power_iteration, rematerialised, bounded_while, branching, mapped, prefix]


@together
@pytest.mark.parametrize(("fun", "pipelines"), on_pipelines(DIFFERENTIABLE, [power_iteration, branching]))
def test_derivatives(fun, pipelines):
    check(
        lambda x: (jax.grad(fun)(x), jax.jvp(fun, (x,), (x + 1,)), jax.linearize(fun, x)[1](x)),
        X,
        pipelines=pipelines,
    )


@pytest.mark.parametrize("fun", DIFFERENTIABLE, ids=lambda f: f.__name__)
def test_derivatives_through_jace_jit(fun):
    fast = jace.jit(fun)
    slope, both, mapped = by_xla(
        lambda x: (jax.grad(fun)(x), jax.jvp(fun, (x,), (x,)), jax.vmap(fun)(x[None])), X
    )
    assert_same(slope, [np.asarray(jax.grad(fast)(X))])
    assert_same(both, jax.tree.leaves(jax.jvp(fast, (X,), (X,))))
    assert_same(mapped, [np.asarray(jax.vmap(fast)(X[None]))])


@together
@pytest.mark.parametrize(
    "fun", [lambda x: lax.while_loop(lambda c: (c**2).sum() < 99, lambda c: c * 1.5 + x, x)], ids=["while"]
)
def test_forward_derivatives_of_while(fun):
    check(lambda x: (jax.jvp(fun, (x,), (x + 1,)), jax.jacfwd(lambda s: fun(x * s))(1.0)), X)


@together
@SETTINGS
@given(st.data())
def test_random_loops(data):
    """A loop over random updates of two carries and one stacked output, sometimes in a branch of another loop."""
    draw = data.draw
    kind = draw(st.sampled_from(["scan", "fori", "while", "nested"]))
    steps = draw(st.lists(st.integers(0, 6), min_size=1, max_size=4))
    reverse, length = draw(st.booleans()), draw(st.integers(0, 4))

    def step(k, carry, row):
        a, b = carry
        for s in steps:
            match s:
                case 0:
                    a = a.at[k % 4].set(b[0])
                case 1:
                    a, b = b, a
                case 2:
                    b = jnp.where(a > 0, b, b * 0.5 + row)
                case 3:
                    a = lax.cond(k > 1, lambda u, v: u - v, lambda u, v: v, a, b)
                case 4:
                    b = b[::-1] + a[k % 4]
                case 5:
                    a = lax.dynamic_update_slice(a, b[1:3], (k, 0))
                case _:
                    b = b.at[:, 1].add(a[:, 0])
        return a, b

    def program(x, n):
        start = (x, x * 2)
        scanned = lambda c, kr: (step(kr[0], c, kr[1]), c[1][0] + c[0][1])
        if kind == "scan":
            return lax.scan(scanned, start, (jnp.arange(length), x[:length]), reverse=reverse)
        if kind == "fori":
            return lax.fori_loop(0, length, lambda k, c: step(k, c, x[0]), start)
        if kind == "while":
            more = lambda c: (c[0] < length) & (jnp.abs(c[1][0]).sum() < 1e3)
            return lax.while_loop(more, lambda c: (c[0] + 1, step(c[0], c[1], x[1])), (0, start))
        inner = lambda c, k: (lax.fori_loop(0, k, lambda m, d: step(m, d, x[2]), c), c[0][0])
        return lax.scan(inner, start, jnp.arange(length), reverse=reverse)

    check(program, X, N, pipelines=PIPELINES)
