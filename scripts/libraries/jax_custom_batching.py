"""custom_vmap, sequential_vmap, custom_gradient, closure_convert, stop_gradient, optimization_barrier."""

import jax
import jax.numpy as jnp
from jax import custom_batching


@custom_batching.custom_vmap
def expensive(x, y):
    return jnp.sum(x) * y


@expensive.def_vmap
def expensive_batched(axis_size, in_batched, x, y):
    x_batched, y_batched = in_batched
    x = x if x_batched else jnp.broadcast_to(x, (axis_size, *x.shape))
    y = y if y_batched else jnp.broadcast_to(y, (axis_size, *y.shape))
    return jnp.einsum("nk,n->n", x, y), True


@custom_batching.sequential_vmap
def cumulative(x):
    return jax.lax.scan(lambda c, v: (c + v, c * v), 0.0, x)[1]


@jax.custom_gradient
def log1pexp(x):
    e = jnp.exp(x)
    return jnp.log(1 + e), lambda g: g * (1 - 1 / (1 + e))


def minimise(objective, start):
    converted, constants = jax.closure_convert(objective, start)
    slope = jax.grad(converted)

    def body(_, x):
        return x - 0.1 * slope(x, *constants)

    return jax.lax.fori_loop(0, 10, body, start)


@jax.jit
def program(xs, target):
    a = jax.vmap(expensive, in_axes=(0, None))(xs, jnp.array(2.0))
    b = jax.vmap(cumulative)(xs)
    c = jax.vmap(jax.grad(log1pexp))(a) + jax.lax.stop_gradient(a)
    (c,) = jax.lax.optimization_barrier((c,))
    return minimise(lambda x: jnp.sum((x - target) ** 2), jnp.zeros(3)).sum() + b.sum() + c.sum()


xs = jnp.arange(12.0).reshape(4, 3) / 10
for scale in (1.0, 2.0):
    value = program(xs * scale, jnp.ones(3))
print(float(value), float(expensive(xs[0], jnp.array(3.0))))
