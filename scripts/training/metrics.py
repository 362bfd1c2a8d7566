"""What is told of a model, and smooth curves of it."""

import jax
import jax.numpy as jnp


@jax.jit
def accuracy(logits, labels):
    """The share of right answers."""
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


@jax.jit
def confusion(logits, labels):
    """i32 (2, 2): how often each label got each answer."""
    return jnp.zeros((2, 2), jnp.int32).at[labels, jnp.argmax(logits, axis=-1)].add(1)


@jax.jit
def calibration(logits, labels):
    """How far confidence is from accuracy, over 5 bins."""
    confidence = jax.nn.softmax(logits).max(axis=-1)
    right = jnp.argmax(logits, axis=-1) == labels
    bins = jnp.clip((confidence * 5).astype(jnp.int32), 0, 4)
    count = jnp.zeros(5).at[bins].add(1.0)
    gap = jnp.zeros(5).at[bins].add(confidence - right)
    return jnp.abs(gap).sum() / count.sum()


@jax.jit
def extrapolated(curve):
    """The curve drawn out by as many steps, each from the two before it, with some friction."""

    def step(_, state):
        before, last = state
        return last, last + 0.9 * (last - before)

    return jax.lax.fori_loop(0, curve.shape[0], step, (curve[:-1], curve[1:]))[1]


@jax.jit
def smoothed(curve):
    """An exponential moving average, and where it is lowest."""

    def step(mean, value):
        mean = 0.7 * mean + 0.3 * value
        return mean, mean

    _, means = jax.lax.scan(step, curve[0], curve)
    return means, jnp.argmin(means), jnp.sort(means)
