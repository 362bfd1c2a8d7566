"""jax.checkpoint with policies: saved names, dots saved, everything recomputed, within a scan over layers."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name

policies = jax.checkpoint_policies


@partial(jax.checkpoint, policy=policies.save_only_these_names("hidden"))
def named_layer(w, x):
    return jnp.tanh(checkpoint_name(jnp.sin(x @ w), "hidden")) + x


@partial(jax.checkpoint, policy=policies.dots_with_no_batch_dims_saveable, prevent_cse=False)
def dots_layer(w, x):
    return jax.nn.gelu(x @ w) + x


@jax.checkpoint
def plain_layer(w, x):
    return jnp.cos(x @ w) + x


@jax.jit
def step(weights, x):
    def loss_of(weights):
        y = named_layer(weights[0], x)
        y = plain_layer(weights[1], y)
        y, _ = jax.lax.scan(lambda y, w: (dots_layer(w, y), None), y, weights)
        return jnp.mean(y**2)

    loss, gradient = jax.value_and_grad(loss_of)(weights)
    return weights - 0.1 * gradient, loss


random = np.random.default_rng(2)
weights = jnp.asarray(0.3 * random.normal(size=(3, 4, 4)), jnp.float32)
x = jnp.asarray(random.normal(size=(5, 4)), jnp.float32)
for _ in range(3):
    weights, loss = step(weights, x)
print(float(loss))
