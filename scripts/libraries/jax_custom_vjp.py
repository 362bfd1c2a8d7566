"""jax.custom_vjp with nondifferentiable arguments: a clipped gradient, a fixed point, straight-through rounding."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def clip_gradient(x, low, high):
    return x


def clip_forward(x, low, high):
    return x, None


def clip_backward(low, high, _, g):
    return (jnp.clip(g, low, high),)


clip_gradient.defvjp(clip_forward, clip_backward)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, guess):
    def not_converged(carry):
        previous, x = carry
        return jnp.abs(previous - x) > 1e-6

    return jax.lax.while_loop(not_converged, lambda carry: (carry[1], f(a, carry[1])), (guess, f(a, guess)))[
        1
    ]


def fixed_point_forward(f, a, guess):
    x = fixed_point(f, a, guess)
    return x, (a, x)


def fixed_point_backward(f, residuals, g):
    a, x = residuals
    _, vjp_a = jax.vjp(lambda a: f(a, x), a)
    _, vjp_x = jax.vjp(lambda x: f(a, x), x)
    return (*vjp_a(fixed_point(lambda g, u: g + vjp_x(u)[0], g, g)), jnp.zeros_like(x))


fixed_point.defvjp(fixed_point_forward, fixed_point_backward)


@jax.custom_vjp
def rounded(x):
    return jnp.round(x)


rounded.defvjp(lambda x: (rounded(x), ()), lambda _, g: (g,))


@jax.jit
def objective(a):
    root = fixed_point(lambda a, x: 0.5 * (x + a / x), a, a)
    return clip_gradient(root, -0.2, 0.2) + jnp.sin(rounded(3 * a))


a = jnp.array(2.0)
for _ in range(3):
    a = a + 0.1 * jax.grad(objective)(a)
batched = jax.jit(jax.vmap(jax.grad(objective)))(jnp.array([1.0, 2.0, 3.0]))
print(float(a), float(objective(a)), float(batched.sum()))
