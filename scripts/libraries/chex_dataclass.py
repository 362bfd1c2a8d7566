"""Chex: a chex.dataclass train state through jit and grad, with shape and finiteness assertions."""

import chex
import jax
import jax.numpy as jnp
import numpy as np


@chex.dataclass
class State:
    weights: chex.Array
    velocity: chex.Array
    steps: chex.Numeric


def predict(state: State, x: chex.Array) -> chex.Array:
    chex.assert_rank(x, 2)
    chex.assert_axis_dimension(x, 1, state.weights.shape[0])
    return jax.nn.sigmoid(x @ state.weights)


@jax.jit
@chex.assert_max_traces(n=1)
def step(state: State, x: chex.Array, y: chex.Array) -> State:
    def loss_of(state):
        predictions = predict(state, x)
        chex.assert_equal_shape([predictions, y])
        return jnp.mean((predictions - y) ** 2)

    gradients = jax.grad(loss_of, allow_int=True)(state)
    velocity = 0.9 * state.velocity - 0.5 * gradients.weights
    return state.replace(weights=state.weights + velocity, velocity=velocity, steps=state.steps + 1)


random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(10, 3)), jnp.float32)
y = (x[:, 0] > 0).astype(jnp.float32)
state = State(weights=jnp.zeros(3), velocity=jnp.zeros(3), steps=jnp.array(0))
for _ in range(3):
    state = step(state, x, y)
chex.assert_tree_all_finite(state)
chex.assert_tree_shape_prefix({"w": state.weights, "v": state.velocity}, (3,))
print(float(state.weights.sum()), int(state.steps))
