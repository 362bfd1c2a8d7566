"""A Flax NNX multilayer perceptron fitted with Optax's Adam.

python nnx_mlp_adam.py [SIZE]        SIZE: number of elements of the data, default 2^14
"""

import sys

import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

FEATURES, HIDDEN = 16, 32


class MLP(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(FEATURES, HIDDEN, rngs=rngs)
        self.second = nnx.Linear(HIDDEN, HIDDEN, rngs=rngs)
        self.last = nnx.Linear(HIDDEN, 1, rngs=rngs)

    def __call__(self, x):
        x = nnx.gelu(self.first(x))
        x = x + nnx.relu(self.second(x))
        return self.last(x)[:, 0]


@nnx.jit
def create():
    return MLP(nnx.Rngs(2025))


@nnx.jit
def train_step(model, optimizer, x, y):
    """One Adam step on x f32 (N, FEATURES), y f32 (N,); returns the loss before it."""

    def loss(model):
        return jnp.mean((model(x) - y) ** 2)

    value, gradients = nnx.value_and_grad(loss)(model)
    optimizer.update(model, gradients)
    return value


def main(size=2**14):
    random = np.random.default_rng(2025)
    x = random.standard_normal((max(1, size // FEATURES), FEATURES)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2]
    model = create()
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    losses = [float(train_step(model, optimizer, x, y)) for _ in range(3)]
    print("nnx_mlp_adam: losses " + " ".join(f"{v:.5f}" for v in losses))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
