"""A Flax Linen LSTM lifted over time by nn.RNN and by nn.scan, and a batch of models by nn.vmap."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Sequence(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.RNN(nn.LSTMCell(6))(x)
        scan = nn.scan(
            nn.GRUCell, variable_broadcast="params", split_rngs={"params": False}, in_axes=1, out_axes=1
        )
        cell = scan(4)
        carry = jnp.zeros((x.shape[0], 4))
        _, x = cell(carry, x)
        return nn.Dense(1)(x[:, -1])


class Ensemble(nn.Module):
    @nn.compact
    def __call__(self, x):
        members = nn.vmap(
            nn.Dense,
            variable_axes={"params": 0},
            split_rngs={"params": True},
            in_axes=None,
            out_axes=0,
            axis_size=3,
        )
        return members(2)(x).mean(0)


model, ensemble = Sequence(), Ensemble()
x = jnp.asarray(np.random.default_rng(3).normal(size=(4, 5, 3)), jnp.float32)
params = jax.jit(model.init)(jax.random.key(0), x)
ensemble_params = ensemble.init(jax.random.key(1), x[:, 0])


@jax.jit
def loss_of(params, ensemble_params, x):
    return jnp.mean(model.apply(params, x) ** 2) + jnp.mean(ensemble.apply(ensemble_params, x[:, 0]) ** 2)


gradient = jax.jit(jax.grad(loss_of))
for _ in range(3):
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient(params, ensemble_params, x))
print(float(loss_of(params, ensemble_params, x)))
