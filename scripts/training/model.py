"""The model: a convolution in time, a gated recurrent cell, attention over its states, a classifier."""

import jax
import jax.numpy as jnp

HIDDEN = 12
WIDTH = 3


def dense(key, inputs, outputs):
    """A matrix and a bias."""
    return {"w": jax.random.normal(key, (inputs, outputs)) / jnp.sqrt(inputs), "b": jnp.zeros(outputs)}


def initial(key):
    """Parameters."""
    keys = jax.random.split(key, 5)
    return {
        "filter": 0.3 * jax.random.normal(keys[0], (WIDTH, 2, HIDDEN)),
        "gates": dense(keys[1], 2 * HIDDEN, 2 * HIDDEN),
        "new": dense(keys[2], 2 * HIDDEN, HIDDEN),
        "attention": dense(keys[3], HIDDEN, 1),
        "out": dense(keys[4], HIDDEN, 2),
    }


def apply(layer, x):
    return x @ layer["w"] + layer["b"]


@jax.jit
def convolve(weights, sequences):
    """f32 (N, T, 2) -> (N, T, HIDDEN)."""
    mixed = jax.lax.conv_general_dilated(
        sequences, weights, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")
    )
    return jax.nn.gelu(mixed)


@jax.jit
def cell(parameters, state, x):
    """One step of a gated recurrent unit."""
    both = jnp.concatenate([state, x], axis=-1)
    reset, update = jnp.split(jax.nn.sigmoid(apply(parameters["gates"], both)), 2, axis=-1)
    new = jnp.tanh(apply(parameters["new"], jnp.concatenate([reset * state, x], axis=-1)))
    return update * state + (1.0 - update) * new


@jax.jit
def attend(layer, states):
    """The weighted mean (N, HIDDEN) of states (T, N, HIDDEN)."""
    weights = jax.nn.softmax(apply(layer, states)[..., 0], axis=0)
    return jnp.einsum("tn,tnh->nh", weights, states)


@jax.jit
def logits(parameters, sequences):
    """f32 (N, T, 2) -> (N, 2)."""
    features = convolve(parameters["filter"], sequences)

    def step(state, x):
        state = cell(parameters, state, x)
        return state, state

    start = jnp.zeros((sequences.shape[0], HIDDEN))
    _, states = jax.lax.scan(step, start, features.swapaxes(0, 1))
    return apply(parameters["out"], attend(parameters["attention"], states))


@jax.jit
def size(parameters):
    """The number of parameters, and their norm."""
    leaves = jax.tree.leaves(parameters)
    return sum(leaf.size for leaf in leaves), jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))
