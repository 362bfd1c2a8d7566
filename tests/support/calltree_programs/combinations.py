"""Programs: combinations."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import operator

import jax
import jax.numpy as jnp
from jax import lax

from calltree_programs.base import M, X, Y, normal, program
from calltree_programs.custom_derivatives import custom_sin
from calltree_programs.pytrees import Layer, Pair


@program(X, M)
def walrus_and_conditionals(x, m):
    y = (z := jnp.sin(x)) + 1 if x.ndim == 1 else x
    w = z * y if m.ndim == 2 else z
    return [v * 2 for v in (y, z, w)], {f"k{i}": v for i, v in enumerate((y, z))}


@program(X)
def try_finally_with(x):
    try:
        y = jnp.sin(x)
        raise KeyError
    except KeyError:
        y = jnp.cos(x)
    finally:
        z = x * 2
    with jax.named_scope("a"):
        y = y + z
    return y


@program(X)
def global_state(x):
    cache = {}

    def get(k, make):
        if k not in cache:
            cache[k] = make()
        return cache[k]

    a = get("s", lambda: jnp.sin(x))
    b = get("s", lambda: jnp.sin(x))
    return a + b


@program(X, M)
def leaked_between_functions(x, m):
    # a value made inside of one function and used in a later step of the same trace
    kept = []

    def f(v):
        kept.append(x * 2)
        return v + 1

    y = f(x)
    return y + kept[0]


@program(X)
def jit_with_closure(x):
    y = x * 2

    @jax.jit
    def inner(v):
        return v + y

    z = inner(x)

    @jax.jit
    def inner2(v):
        return inner(v) + z

    return inner2(y)


@program(X, M)
def scan_of_scan(x, m):
    def outer(c, row):
        def inner(d, e):
            return d * e + c.sum(), d + row[0]

        d, ys = lax.scan(inner, row[1], row)
        return c + d, (ys, c)

    return lax.scan(outer, x, m)


@program(X)
def carry_trees(x):
    def body(carry):
        (i, tree) = carry
        return i + 1, {"a": tree["b"] * 2, "b": tree["a"] + i, "n": (tree["n"][1], tree["n"][0])}

    return lax.while_loop(lambda c: c[0] < 5, body, (0, {"a": x, "b": x * 2, "n": (1.0, 2.0)}))


@program(Pair(X, Y))
def namedtuple_carry(p):
    def body(c, _):
        return Pair(c.right, c.left + c.right), c.left

    return lax.scan(body, p, None, length=3)


@program(Layer(normal(4, 4), normal(4)), X)
def dataclass_carry(layer, x):
    def body(c, s):
        return dataclasses.replace(c, bias=c.bias + s), c(x)

    return lax.scan(body, layer, x)


@program(Layer(normal(4, 4), normal(4)), X)
def dataclass_closure_grad(layer, x):
    def loss(params):
        return jnp.sum(params(x) ** 2)

    g = jax.grad(loss)(layer)
    new = jax.tree.map(lambda p, q: p - 0.1 * q, layer, g)
    return new, loss(new)


@program(X)
def key_path_and_static(x):
    def f(v, n, flag):
        return v * n if flag else v

    return (
        jax.vmap(f, in_axes=(0, None, None))(x, 2, True),
        jax.grad(lambda v, n: (v * n).sum())(x, 3),
        jax.vmap(lambda v, t: v * t["k"][1], (0, None))(x, {"k": (1, 2.5)}),
    )


@program(X)
def functions_as_results(x):
    def make():
        y = x * 2
        return lambda v: v + y

    f = make()
    outs, g = jax.vjp(lambda v: jnp.sin(v), x)

    def use(h, v):
        return h(v)

    return use(f, x), use(g, outs), [h(x) for h in (jnp.sin, jax.jit(f), jax.vmap(f))]


@program(X)
def vjp_inside_scan(x):
    def cell(c, s):
        out, pull = jax.vjp(lambda v: v * s, c)
        return pull(out)[0], out

    return lax.scan(cell, x, x)


@program(X)
def pullback_used_in_inner(x):
    _, pull = jax.vjp(lambda v: jnp.sin(v), x)
    return jax.vmap(lambda t: pull(t)[0])(jnp.eye(4)), lax.map(lambda t: pull(t)[0], jnp.eye(4))


@program(X)
def linearized_in_inner(x):
    out, push = jax.linearize(lambda v: jnp.sin(v), x)
    return jax.vmap(push)(jnp.eye(4)), jax.linear_transpose(push, x)(out)


@program(X)
def grad_of_vmap_of_grad(x):
    return jax.grad(lambda v: jax.vmap(jax.grad(lambda u: u**3))(v).sum())(x)


@program(X, Y)
def hvp(x, y):
    def f(v):
        return jnp.sum(v**3)

    return (
        jax.jvp(jax.grad(f), (x,), (y,))[1],
        jax.grad(lambda v: jnp.vdot(jax.grad(f)(v), y))(x),
        jax.vjp(jax.grad(f), x)[1](y),
    )


@program(X)
def inner_function_uses_outer_grad_value(x):
    def outer(a):
        def inner(b):
            return jnp.sum(a * b * jnp.sin(x))

        return inner(a) + jnp.sum(jax.grad(inner)(a * 2))

    return jax.grad(outer)(x)


@program(X)
def checkpoint_closure(x):
    y = x * 2

    def f(v):
        return jnp.sin(v * y)

    return jax.grad(lambda v: jax.checkpoint(f)(v).sum())(x), jax.checkpoint(lambda: y * 2)()


@program(X)
def cond_in_grad_with_closure(x):
    def f(v):
        w = v * 2
        return lax.cond(v[0] > 0, lambda: w.sum(), lambda: v.sum())

    return jax.grad(f)(x)


@program(X)
def custom_vjp_closure_traced(x):
    scale = x[0]

    @jax.custom_vjp
    def f(v):
        return v * scale

    f.defvjp(lambda v: (f(v), v), lambda r, g: (g * r * scale,))
    return f(x)


@program(X)
def custom_jvp_in_scan(x):
    return lax.scan(lambda c, s: (custom_sin(c) + s, custom_sin(s)), x, x[None]), jax.grad(
        lambda v: lax.scan(lambda c, s: (custom_sin(c) * s, None), v[0], v)[0]
    )(x)


@program(X)
def custom_with_kwargs(x):
    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def f(v, mode="a"):
        return v * 2 if mode == "a" else v * 3

    f.defjvp(lambda mode, p, t: (f(p[0], mode), t[0] * (5 if mode == "a" else 7)))
    return (
        f(x),
        f(x, mode="b"),
        f(v=x, mode="a"),
        jax.grad(lambda v: f(v, "b").sum())(x),
        jax.grad(lambda v: f(v).sum())(x),
    )


@program(X)
def custom_tree_args(x):
    @jax.custom_vjp
    def f(tree, scale):
        return {"out": tree["a"] * scale, "n": tree["b"][0]}

    def fwd(tree, scale):
        return f(tree, scale), (tree, scale)

    def bwd(res, g):
        tree, scale = res
        return {"a": g["out"] * scale, "b": (g["n"],)}, (g["out"] * tree["a"]).sum()

    f.defvjp(fwd, bwd)
    return jax.grad(lambda t: f(t, t["a"][0])["out"].sum())({"a": x, "b": (x * 2,)})


@program(X)
def closure_over_loop_variable(x):
    outs = []
    for k in range(3):

        def f(v, k=k):
            return v * k + x[k]

        outs.append(jax.vmap(f)(x))
    return outs


@program(X)
def functools_things(x):
    return (
        functools.reduce(lambda a, b: a * b + 1, [x, x * 2, x * 3]),
        functools.reduce(operator.add, [x, x]),
        sum(map(jnp.sum, [x, x])),
        math.prod([2, 3]) * x,
        operator.itemgetter(0)(x),
        list(itertools.accumulate([x, x])),
    )
