"""Mixed precision: bfloat16 attention with float32 accumulation, dynamic loss scaling, float16 and int8 weights."""

import jax
import jax.numpy as jnp
import numpy as np


def attention(weights, x):
    q, k, v = jnp.split(x.astype(jnp.bfloat16) @ weights.astype(jnp.bfloat16), 3, axis=-1)
    logits = jnp.einsum("td,sd->ts", q, k, preferred_element_type=jnp.float32) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones_like(logits, bool))
    return jax.nn.softmax(jnp.where(mask, logits, -jnp.inf), axis=-1).astype(jnp.bfloat16) @ v


@jax.jit
def step(weights, scale, x):
    def scaled_loss(weights):
        return jnp.mean(attention(weights, x).astype(jnp.float32) ** 2) * scale

    gradient = jax.grad(scaled_loss)(weights) / scale
    finite = jnp.all(jnp.isfinite(gradient))
    new_scale = jnp.where(finite, jnp.minimum(scale * 2, 2.0**15), scale / 2)
    return jnp.where(finite, weights - 0.1 * gradient, weights), new_scale


@jax.jit
def quantised(weights, x):
    step = jnp.abs(weights).max() / 127
    rounded = jnp.round(weights / step).astype(jnp.int8)
    product = jax.lax.dot(jnp.round(x * 16).astype(jnp.int8), rounded, preferred_element_type=jnp.int32)
    return product.astype(jnp.float16) * (step / 16).astype(jnp.float16)


random = np.random.default_rng(6)
weights = jnp.asarray(random.normal(size=(4, 12)) / 2, jnp.float32)
x = jnp.asarray(random.normal(size=(5, 4)), jnp.float32)
scale = jnp.array(1024.0)
for _ in range(3):
    weights, scale = step(weights, scale, x)
print(float(scale), float(weights.sum()), float(quantised(weights, x).sum()))
