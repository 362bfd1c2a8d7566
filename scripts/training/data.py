"""The data: two noisy spirals as sequences of points, made by JAX's own random numbers."""

import jax
import jax.numpy as jnp

POINTS = 24  # of a sequence


@jax.jit
def spiral(key, turns, label):
    """f32 (POINTS, 2): a spiral that turns left (label 0) or right (label 1), with noise."""
    angle = jnp.linspace(0.0, turns, POINTS) * jnp.where(label == 1, -1.0, 1.0)
    radius = jnp.linspace(0.2, 1.0, POINTS)
    noise = 0.02 * jax.random.normal(key, (POINTS, 2))
    return jnp.stack([radius * jnp.cos(angle), radius * jnp.sin(angle)], axis=-1) + noise


@jax.jit
def draw(key, labels):
    """Sequences f32 (N, POINTS, 2) for i32 (N,) labels."""
    keys = jax.random.split(key, labels.shape[0])
    turns = jax.random.uniform(key, labels.shape, minval=3.0, maxval=6.0)
    return jax.vmap(spiral)(keys, turns, labels)


@jax.jit
def standardize(sequences):
    """Mean 0 and standard deviation 1 for each coordinate, and both of them."""
    mean = sequences.mean(axis=(0, 1))
    deviation = sequences.std(axis=(0, 1)) + 1e-6
    return (sequences - mean) / deviation, mean, deviation


@jax.jit
def shuffle(key, sequences, labels):
    """Both in the same random order."""
    order = jax.random.permutation(key, labels.shape[0])
    return sequences[order], labels[order]


def load(key, count):
    """`count` sequences and labels."""
    of_labels, of_points, of_order = jax.random.split(key, 3)
    labels = jax.random.randint(of_labels, (count,), 0, 2)
    sequences, _, _ = standardize(draw(of_points, labels))
    return shuffle(of_order, sequences, labels)


@jax.jit
def rotated(key, sequences):
    """Each sequence turned by a small random angle: cheap new data."""
    angle = 0.1 * jax.random.normal(key, (sequences.shape[0], 1))
    c, s = jnp.cos(angle), jnp.sin(angle)
    x, y = sequences[..., 0], sequences[..., 1]
    return jnp.stack([c * x - s * y, s * x + c * y], axis=-1)
