"""Custom derivatives: a clipped gradient (custom_vjp), a stable softplus (custom_jvp), and both composed.

python custom_vjp.py [SIZE]        SIZE: number of elements, default 2^14
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def clip_gradient(limit, x):
    return x


def clip_forward(limit, x):
    return x, None


def clip_backward(limit, _, cotangent):
    return (jnp.clip(cotangent, -limit, limit),)


clip_gradient.defvjp(clip_forward, clip_backward)


@jax.custom_jvp
def softplus(x):
    return jnp.maximum(x, 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@softplus.defjvp
def softplus_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    return softplus(x), dx / (1.0 + jnp.exp(-x))


def objective(x):
    return jnp.sum(softplus(clip_gradient(0.25, x)) ** 2)


@jax.jit
def descend(x):
    """Five gradient steps from f32 (N,); returns the end point and the objective there."""
    for _ in range(5):
        x = x - 0.5 * jax.grad(objective)(x)
    return x, objective(x)


@jax.jit
def curvature(x):
    """The derivative of the clipped gradient along ones, f32 (N,)."""
    return jax.jvp(jax.grad(lambda y: jnp.sum(softplus(y) ** 2)), (x,), (jnp.ones_like(x),))[1]


def main(size=2**14):
    x = np.random.default_rng(1986).standard_normal(size).astype(np.float32) * 3
    end, value = descend(x)
    print(f"custom_vjp: objective {float(value) / size:.6f}, curvature {float(np.mean(curvature(end))):.6f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
