"""Per-example gradients, clipped and averaged (the heart of differentially private training): vmap of grad.

python vmap_grad.py [SIZE]        SIZE: number of elements of the data, default 2^14
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

FEATURES, CLASSES = 16, 4


def loss(parameters, x, label):
    weights, bias = parameters
    logits = x @ weights + bias
    return -jax.nn.log_softmax(logits)[label]


@jax.jit
def clipped_gradient(parameters, data, labels):
    """Data f32 (N, FEATURES), labels i32 (N,); returns the mean gradient and how many were clipped."""
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(parameters, data, labels)
    squares = [jnp.sum(g**2, axis=tuple(range(1, g.ndim))) for g in jax.tree.leaves(gradients)]
    norms = jnp.sqrt(sum(squares))
    factor = jnp.minimum(1.0, 2.0 / norms)

    def average(gradient):
        return jnp.einsum("n,n...->...", factor, gradient) / data.shape[0]

    return jax.tree.map(average, gradients), jnp.sum(norms > 2.0)


def main(size=2**14):
    random = np.random.default_rng(2016)
    examples = max(1, size // FEATURES)
    parameters = (
        random.standard_normal((FEATURES, CLASSES)).astype(np.float32),
        np.zeros(CLASSES, np.float32),
    )
    data = random.standard_normal((examples, FEATURES)).astype(np.float32)
    labels = random.integers(0, CLASSES, examples).astype(np.int32)
    (_, bias), clipped = clipped_gradient(parameters, data, labels)
    size = float(np.abs(bias).sum())
    print(f"vmap_grad: {examples} examples, {int(clipped)} clipped, |bias gradient| {size:.6f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
