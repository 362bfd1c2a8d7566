"""jax.lax.associative_scan: a linear recurrence, a prefix product of matrices, and the gradient of one."""

import jax
import jax.numpy as jnp
import numpy as np


def combine(left, right):
    return left[0] * right[0], right[0] * left[1] + right[1]


@jax.jit
def recurrence(decay, inputs):
    return jax.lax.associative_scan(combine, (decay, inputs))[1]


@jax.jit
def prefix_products(matrices):
    return jax.lax.associative_scan(jnp.matmul, matrices, reverse=True)


@jax.jit
@jax.grad
def gradient(decay, inputs):
    return jnp.sum(recurrence(decay, inputs)[-1] ** 2)


random = np.random.default_rng(0)
decay = jnp.asarray(random.uniform(0.5, 0.9, (13, 2)), jnp.float32)
inputs = jnp.asarray(random.normal(size=(13, 2)), jnp.float32)
for _ in range(2):
    inputs = recurrence(decay, inputs)
products = prefix_products(jnp.asarray(random.normal(size=(5, 2, 2)), jnp.float32))
running = jnp.stack([jax.lax.cumsum(inputs), jax.lax.cummax(inputs), jax.lax.cumlogsumexp(inputs)])
print(
    float(inputs.sum()), float(products[0].sum()), float(gradient(decay, inputs).sum()), float(running.sum())
)
