"""Adam with a warm-up and clipped gradients, and averaged parameters."""

import jax
import jax.numpy as jnp

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


@jax.jit
def rate(step, peak):
    """Warm-up over 10 steps, then a cosine."""
    warm = jnp.minimum(1.0, (step + 1) / 10)
    return peak * warm * 0.5 * (1.0 + jnp.cos(jnp.pi * jnp.clip(step / 100, 0.0, 1.0)))


@jax.jit
def clip(gradient, largest):
    """The gradient with a norm of at most `largest`, and its norm before."""
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    factor = jnp.minimum(1.0, largest / (norm + EPSILON))
    return jax.tree.map(lambda leaf: factor * leaf, gradient), norm


def initial(parameters):
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    return {"step": jnp.int32(0), "first": zeros, "second": zeros}


@jax.jit
def update(parameters, gradient, state, peak):
    """One step of Adam."""
    step = state["step"] + 1
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, state["first"], gradient)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g**2, state["second"], gradient)
    scale = rate(step, peak)

    def moved(p, m, v):
        m, v = m / (1 - BETA1**step), v / (1 - BETA2**step)
        return p - scale * m / (jnp.sqrt(v) + EPSILON)

    parameters = jax.tree.map(moved, parameters, first, second)
    return parameters, {"step": step, "first": first, "second": second}


@jax.jit
def averaged(mean, parameters, weight):
    """A running average of parameters."""
    return jax.tree.map(lambda m, p: weight * m + (1.0 - weight) * p, mean, parameters)
