"""An Equinox multilayer perceptron: filter_jit, filter_value_and_grad, and an Optax update.

python equinox_mlp.py [SIZE]        SIZE: number of elements of the data, default 2^14
"""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

FEATURES, HIDDEN = 8, 32
OPTIMIZER = optax.sgd(5e-2, momentum=0.9)


@eqx.filter_jit
def create(key):
    return eqx.nn.MLP(FEATURES, "scalar", HIDDEN, depth=2, activation=jax.nn.silu, key=key)


@eqx.filter_jit
def train_step(model, state, x, y):
    """One step on x f32 (N, FEATURES), y f32 (N,)."""

    @eqx.filter_value_and_grad
    def loss(model):
        return jnp.mean(optax.huber_loss(jax.vmap(model)(x), y))

    value, gradients = loss(model)
    updates, state = OPTIMIZER.update(gradients, state)
    return eqx.apply_updates(model, updates), state, value


def main(size=2**14):
    random = np.random.default_rng(2021)
    x = random.standard_normal((max(1, size // FEATURES), FEATURES)).astype(np.float32)
    y = np.tanh(x @ np.linspace(-1.0, 1.0, FEATURES, dtype=np.float32))
    model = create(jax.random.key(2021))
    state = OPTIMIZER.init(eqx.filter(model, eqx.is_array))
    losses = []
    for _ in range(3):
        model, state, value = train_step(model, state, x, y)
        losses.append(float(value))
    print("equinox_mlp: losses " + " ".join(f"{v:.5f}" for v in losses))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
