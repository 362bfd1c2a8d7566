"""dm-haiku: an attention block, a vector quantizer with state, and hk.vmap over an ensemble."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


def network(x):
    attention = hk.MultiHeadAttention(2, 4, w_init=hk.initializers.VarianceScaling(1.0), model_size=8)
    x = hk.LayerNorm(-1, True, True)(x + attention(x, x, x))
    quantized = hk.nets.VectorQuantizerEMA(8, 6, 0.25, 0.9)(x, is_training=True)
    heads = hk.vmap(lambda row: hk.Linear(2)(row), split_rng=False)
    return heads(quantized["quantize"].reshape(-1, 8)), quantized["loss"]


model = hk.transform_with_state(network)
x = jnp.asarray(np.random.default_rng(3).normal(size=(2, 5, 8)), jnp.float32)
params, state = model.init(jax.random.key(0), x)


@jax.jit
def step(params, state, key, x):
    def loss_of(params):
        (y, commitment), new_state = model.apply(params, state, key, x)
        return jnp.mean(y**2) + commitment, new_state

    (loss, state), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients), state, loss


for i in range(2):
    params, state, loss = step(params, state, jax.random.key(i), x)
print(float(loss))
