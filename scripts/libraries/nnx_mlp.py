"""A Flax NNX MLP with dropout and batch norm, trained with nnx.jit and nnx.Optimizer."""

import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class MLP(nnx.Module):
    def __init__(self, inputs, hidden, outputs, rngs):
        self.first = nnx.Linear(inputs, hidden, rngs=rngs)
        self.norm = nnx.BatchNorm(hidden, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.second = nnx.Linear(hidden, outputs, rngs=rngs)

    def __call__(self, x):
        return self.second(self.dropout(nnx.relu(self.norm(self.first(x)))))


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_of(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, gradients = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, gradients)
    return loss


@nnx.jit
def evaluate(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(16, 4)), jnp.float32)
y = jnp.sin(x[:, :1])
model = MLP(4, 8, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adamw(1e-2), wrt=nnx.Param)
for _ in range(3):
    loss = train_step(model, optimizer, x, y)
model.eval()
print(float(loss), float(evaluate(model, x, y)))
