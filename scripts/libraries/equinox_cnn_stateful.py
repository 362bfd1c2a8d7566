"""An Equinox CNN with batch norm and dropout: state threaded through filter_vmap with an axis name."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class CNN(eqx.Module):
    conv: eqx.nn.Conv2d
    norm: eqx.nn.BatchNorm
    pool: eqx.nn.MaxPool2d
    dropout: eqx.nn.Dropout
    head: eqx.nn.Linear

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.conv = eqx.nn.Conv2d(1, 3, 3, padding=1, key=first)
        self.norm = eqx.nn.BatchNorm(3, axis_name="batch", mode="batch")
        self.pool = eqx.nn.MaxPool2d(2, 2)
        self.dropout = eqx.nn.Dropout(0.3)
        self.head = eqx.nn.Linear(48, 2, key=second)

    def __call__(self, x, state, key):
        x, state = self.norm(self.conv(x), state)
        x = self.dropout(jnp.ravel(self.pool(jax.nn.relu(x))), key=key)
        return self.head(x), state


@eqx.filter_jit
def step(model, state, x, y, key):
    @eqx.filter_value_and_grad(has_aux=True)
    def loss_of(model, state):
        keys = jax.random.split(key, x.shape[0])
        batched = jax.vmap(model, axis_name="batch", in_axes=(0, None, 0), out_axes=(0, None))
        predictions, new_state = batched(x, state, keys)
        return jnp.mean((predictions - y) ** 2), new_state

    (loss, state), gradients = loss_of(model, state)
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, gradients))
    return model, state, loss


random = np.random.default_rng(2)
x = jnp.asarray(random.normal(size=(4, 1, 8, 8)), jnp.float32)
y = jnp.asarray(random.normal(size=(4, 2)), jnp.float32)
model, state = eqx.nn.make_with_state(CNN)(jax.random.key(0))
for i in range(2):
    model, state, loss = step(model, state, x, y, jax.random.key(i))
inference = eqx.nn.inference_mode(model)
print(float(loss), float(inference(x[0], state, None)[0].sum()))
