"""The gradient of a Flax Linen convolutional network: convolution, pooling, normalisation, dense layer.

python linen_cnn.py [SIZE]        SIZE: number of pixels of the batch, default 2^14
"""

import sys

import jax
import numpy as np
import optax
from flax import linen as nn

EDGE, CLASSES = 16, 10


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(8, (3, 3))(x)
        x = nn.relu(nn.GroupNorm(num_groups=2)(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(16, (3, 3), strides=(2, 2))(x))
        x = nn.max_pool(x, (2, 2), strides=(2, 2))
        return nn.Dense(CLASSES)(x.reshape(x.shape[0], -1))


MODEL = CNN()
initialise = jax.jit(MODEL.init)


@jax.jit
def loss_and_gradient(parameters, images, labels):
    """Images f32 (N, EDGE, EDGE, 1), labels i32 (N,)."""

    def loss(parameters):
        logits = MODEL.apply(parameters, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    return jax.value_and_grad(loss)(parameters)


def main(size=2**14):
    random = np.random.default_rng(1998)
    batch = max(1, size // EDGE**2)
    images = random.standard_normal((batch, EDGE, EDGE, 1)).astype(np.float32)
    labels = random.integers(0, CLASSES, batch).astype(np.int32)
    parameters = initialise(jax.random.key(1998), images[:1])
    value, gradient = loss_and_gradient(parameters, images, labels)
    norm = sum(float(np.sum(np.square(g))) for g in jax.tree.leaves(gradient)) ** 0.5
    print(f"linen_cnn: {batch} images, loss {float(value):.5f}, gradient norm {norm:.5f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
