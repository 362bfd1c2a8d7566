"""The gradient of a causal attention block whose activations are recomputed in the backward pass (remat).

python attention_remat.py [SIZE]        SIZE: number of elements of the input, default 2^14
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, LENGTH = 32, 4, 64


def normalise(x, gain):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * gain


def attention(parameters, x):
    batch, length, width = x.shape
    q, k, v = (
        (x @ parameters[name]).reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)
        for name in ("query", "key", "value")
    )
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(width // HEADS).astype(x.dtype)
    causal = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1)
    mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3).reshape(x.shape)
    return mixed @ parameters["out"]


@partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
def block(parameters, x):
    x = x + attention(parameters, normalise(x, parameters["gain1"]))
    hidden = jax.nn.gelu(normalise(x, parameters["gain2"]) @ parameters["up"])
    return x + hidden @ parameters["down"]


@jax.jit
def loss_and_gradient(layers, x):
    """x f32 (N, LENGTH, WIDTH): predicts each position's successor from the past."""

    def loss(layers):
        y = x
        for parameters in layers:
            y = block(parameters, y)
        return jnp.mean((y[:, :-1] - x[:, 1:]) ** 2)

    return jax.value_and_grad(loss)(layers)


def layer(random):
    def matrix(rows, columns):
        return (random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

    square = {name: matrix(WIDTH, WIDTH) for name in ("query", "key", "value", "out")}
    gains = {name: np.ones(WIDTH, np.float32) for name in ("gain1", "gain2")}
    return {**square, **gains, "up": matrix(WIDTH, 2 * WIDTH), "down": matrix(2 * WIDTH, WIDTH)}


def main(size=2**14):
    random = np.random.default_rng(2017)
    x = random.standard_normal((max(1, size // (LENGTH * WIDTH)), LENGTH, WIDTH)).astype(np.float32)
    value, gradient = loss_and_gradient([layer(random) for _ in range(2)], x)
    norm = sum(float(np.sum(np.square(g))) for g in jax.tree.leaves(gradient)) ** 0.5
    print(f"attention_remat: {x.shape}, loss {float(value):.5f}, gradient norm {norm:.5f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
