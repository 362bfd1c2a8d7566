"""A Flax Linen MLP with dropout, trained by Optax's Adam through flax.training's TrainState."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState


class MLP(nn.Module):
    features: tuple[int, ...]

    @nn.compact
    def __call__(self, x, train):
        for width in self.features[:-1]:
            x = nn.relu(nn.Dense(width)(x))
            x = nn.Dropout(0.2, deterministic=not train)(x)
        return nn.Dense(self.features[-1])(x)


@jax.jit
def train_step(state, key, x, labels):
    def loss_of(params):
        logits = state.apply_fn({"params": params}, x, True, rngs={"dropout": key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, gradients = jax.value_and_grad(loss_of)(state.params)
    return state.apply_gradients(grads=gradients), loss


@jax.jit
def accuracy(state, x, labels):
    logits = state.apply_fn({"params": state.params}, x, False)
    return jnp.mean(jnp.argmax(logits, -1) == labels)


random = np.random.default_rng(0)
x = random.normal(size=(32, 10)).astype(np.float32)
labels = (x[:, 0] + x[:, 1] > 0).astype(np.int32)
model = MLP((16, 16, 2))
variables = model.init(jax.random.key(0), x, False)
state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))
key = jax.random.key(1)
for _ in range(3):
    key, dropout_key = jax.random.split(key)
    state, loss = train_step(state, dropout_key, x, labels)
print(float(loss), float(accuracy(state, x, labels)))
