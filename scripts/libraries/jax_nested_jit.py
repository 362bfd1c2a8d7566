"""Nested jitted functions, static and donated arguments, keyword arguments, jitted methods, ahead-of-time compile."""

from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def gauss(x, *, width=1.0):
    return jnp.exp(-((x / width) ** 2))


@partial(jax.jit, static_argnames=("order", "mode"))
def derivative(u, dx, order=1, mode="wrap"):
    for _ in range(order):
        padded = jnp.pad(u, 1, mode=mode)
        u = (padded[2:] - padded[:-2]) / (2 * dx)
    return u


@partial(jax.jit, donate_argnums=0, static_argnums=(2,))
def advance(u, dt, steps):
    def body(u, _):
        return u + dt * (derivative(u, 0.2, order=2) - u * derivative(u, dx=0.2)), None

    return jax.lax.scan(body, u, None, length=steps)[0]


class Tracer:
    def __init__(self, speed):
        self.speed = speed

    @partial(jax.jit, static_argnums=0, donate_argnames="u")
    def move(self, u, dt):
        return advance(u, dt, 2) + dt * self.speed * gauss(u, width=0.5)


u = gauss(jnp.linspace(-2.0, 2.0, 16))
tracer = Tracer(0.5)
for _ in range(3):
    u = tracer.move(u=u, dt=0.01)
compiled = jax.jit(lambda u: jnp.sum(gauss(u) ** 2)).lower(u).compile()
inner = jax.jit(jax.jit(lambda u: gauss(u).sum(), inline=True))
print(float(compiled(u)), float(inner(u)), float(jax.named_call(gauss)(u).max()))
