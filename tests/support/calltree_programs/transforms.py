"""Programs: transforms."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import lax

from calltree_programs.base import M, X, Y, normal, program


@program({"w": M, "b": normal(3)}, X)
def gradients(params, x):
    def loss(params, x):
        return jnp.sum(jnp.tanh(params["w"] @ x + params["b"]) ** 2)

    def with_aux(params, x, scale=1.0):
        value = loss(params, x) * scale
        return value, {"value": value, "x": x * 2}

    return (
        jax.grad(loss)(params, x),
        jax.grad(loss, argnums=1)(params, x),
        jax.grad(loss, (0, 1))(params, x),
        jax.value_and_grad(loss)(params, x),
        jax.value_and_grad(with_aux, has_aux=True)(params, x),
        jax.grad(with_aux, argnums=(1,), has_aux=True)(params, x, scale=3.0),
        jax.grad(jax.grad(lambda v: v**3))(x[0]),
        jax.grad(lambda v: jax.grad(lambda u: u * v * u)(v))(x[1]),
    )


@program(M, X, {"a": normal(3), "b": normal(3, 2)})
def mapped(m, v, tree):
    return (
        jax.vmap(jnp.sum)(m),
        jax.vmap(lambda row: row * v)(m),
        jax.vmap(lambda row, t: row.sum() * t["b"] + t["a"], in_axes=(0, {"a": None, "b": 0}), out_axes=0)(
            m, {"a": v[0], "b": tree["b"]}
        ),
        jax.vmap(lambda column, s: (column * s, s), in_axes=(1, None), out_axes=(1, None))(m, 2.0),
        jax.vmap(lambda t: t["a"] * t["b"].sum(), in_axes=0)(tree),
        jax.vmap(jax.vmap(lambda a, b: a * b, (None, 0)), (0, None))(v, v),
        jax.vmap(lambda a: lax.psum(a, "rows"), axis_name="rows")(m),
        jax.vmap(lambda a: a - lax.pmean(a, "i") + lax.axis_index("i"), axis_name="i", axis_size=3)(m),
        jax.vmap(lambda _: v * 2)(v),
        jax.vmap(lambda row, *, k: row * k)(m, k=m),
    )


@program(X, Y)
def forward_and_reverse(x, y):
    def f(a, b):
        return jnp.sin(a) * b, (a * b).sum()

    primals, tangents = jax.jvp(f, (x, y), (y, x))
    outs, pullback = jax.vjp(f, x, y)
    back = pullback((jnp.ones(4), 2.0))
    again = pullback((x, 0.0))
    out, pull, aux = jax.vjp(lambda a: (a**2, {"n": a.sum()}), x, has_aux=True)
    value, push = jax.linearize(lambda a: jnp.exp(a) * y, x)
    return (
        primals,
        tangents,
        outs,
        back,
        again,
        out,
        pull(y),
        aux,
        value,
        push(x),
        push(y),
        jax.jvp(jnp.tanh, [x], [y]),
    )


@program(X)
def second_derivatives(x):
    def f(v):
        return jnp.sum(v**3) * v[0]

    def g(v):
        return jnp.stack([v[0] * v[1], jnp.sin(v[2]), v.sum()])

    return (
        jax.hessian(f)(x),
        jax.jacfwd(g)(x),
        jax.jacrev(g)(x),
        jax.jacfwd(jax.jacrev(f))(x),
        jax.jacrev(lambda a, b: a * b, argnums=(0, 1))(x, 2.0),
        jax.jacfwd(lambda v: (v * 2, {"s": v.sum()}), has_aux=True)(x),
        jax.jvp(jax.grad(f), (x,), (jnp.ones(4),)),
        jax.vmap(jax.grad(lambda v: v**2))(x),
        jax.linear_transpose(lambda v: 3.0 * v, x)(x),
    )


@program(X, Y)
def rematerialisation(x, y):
    def block(a, b):
        return jnp.sin(jnp.sin(a) @ jnp.cos(b))

    policy = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
    saved = jax.checkpoint(block, policy=jax.checkpoint_policies.everything_saveable)

    @functools.partial(jax.checkpoint, policy=policy, prevent_cse=False)
    def decorated(a):
        return jnp.sin(a * y).sum()

    @jax.remat
    def plain(a):
        return jnp.tanh(a) * 2

    static = jax.checkpoint(lambda a, n: a * n if n > 1 else a, static_argnums=(1,))
    return (
        jax.grad(jax.checkpoint(block))(x, y),
        jax.grad(saved, argnums=1)(x, y),
        jax.value_and_grad(decorated)(x),
        plain(x),
        static(x, 2),
        jax.grad(lambda a: plain(plain(a)).sum())(x),
    )


@program(X)
def named_calls(x):
    @functools.partial(jax.named_call, name="my block")
    def block(v):
        return v * 2

    with jax.named_scope("outer scope"):
        y = block(x)
    return y, jax.named_call(jnp.sin)(x), jax.grad(lambda v: block(v).sum())(x)


class Keeper:
    """Keeps what it computes, as the modules of some libraries do."""

    def __call__(self, v):
        self.kept = jnp.sin(v)
        return self.kept * 2


@program(X)
def named_calls_of_objects(x):
    layer, other = Keeper(), Keeper()
    y = jax.named_call(layer.__call__, name="layer")(x)
    z = jax.named_call(Keeper.__call__)(other, x)
    third = jax.named_call(lambda v: Keeper())(x)
    return y + layer.kept, z * other.kept, third(x)
