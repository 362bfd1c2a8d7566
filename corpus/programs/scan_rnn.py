"""A gated recurrent unit trained for a few steps: scan, its gradient, and plain gradient descent.

python scan_rnn.py [SIZE]        SIZE: number of elements of the input sequences, default 2^14
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

FEATURES, HIDDEN, TIME = 8, 16, 32


def cell(parameters, state, x):
    gates = jax.nn.sigmoid(x @ parameters["w_gates"] + state @ parameters["u_gates"] + parameters["b_gates"])
    reset, update = jnp.split(gates, 2, axis=-1)
    candidate = jnp.tanh(
        x @ parameters["w_new"] + (reset * state) @ parameters["u_new"] + parameters["b_new"]
    )
    return update * state + (1.0 - update) * candidate


def loss(parameters, sequences, targets):
    def step(state, x):
        state = cell(parameters, state, x)
        return state, state @ parameters["out"]

    start = jnp.zeros((sequences.shape[1], HIDDEN), sequences.dtype)
    _, predictions = jax.lax.scan(step, start, sequences)
    return jnp.mean((predictions[..., 0] - targets) ** 2)


@jax.jit
def train_step(parameters, sequences, targets):
    """Sequences f32 (TIME, N, FEATURES), targets f32 (TIME, N)."""
    value, gradient = jax.value_and_grad(loss)(parameters, sequences, targets)
    return value, jax.tree.map(lambda p, g: p - 0.5 * g, parameters, gradient)


def initial(random):
    shapes = {
        "w_gates": (FEATURES, 2 * HIDDEN),
        "u_gates": (HIDDEN, 2 * HIDDEN),
        "b_gates": (2 * HIDDEN,),
        "w_new": (FEATURES, HIDDEN),
        "u_new": (HIDDEN, HIDDEN),
        "b_new": (HIDDEN,),
        "out": (HIDDEN, 1),
    }
    return {k: (random.standard_normal(s) / np.sqrt(s[0])).astype(np.float32) for k, s in shapes.items()}


def main(size=2**14):
    random = np.random.default_rng(1997)
    batch = max(1, size // (TIME * FEATURES))
    parameters = initial(random)
    sequences = random.standard_normal((TIME, batch, FEATURES)).astype(np.float32)
    targets = (
        np.cumsum(sequences[..., 0], axis=0) / np.sqrt(np.arange(1, TIME + 1, dtype=np.float32))[:, None]
    )
    losses = []
    for _ in range(3):
        value, parameters = train_step(parameters, sequences, targets)
        losses.append(float(value))
    print("scan_rnn: losses " + " ".join(f"{v:.5f}" for v in losses))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
