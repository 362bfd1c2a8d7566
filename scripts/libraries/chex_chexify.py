"""Chex: value assertions inside jit by chexify, frozen configuration as a static argument, mappable dataclass."""

from functools import partial

import chex
import jax
import jax.numpy as jnp


@chex.dataclass(frozen=True, mappable_dataclass=True)
class Particles:
    positions: chex.ArrayDevice
    velocities: chex.ArrayDevice


@chex.dataclass(frozen=True)
class Config:
    dt: float = 0.1
    bounce: bool = True


@partial(chex.chexify, async_check=False)
@jax.jit
def checked_sqrt(x):
    chex.assert_trees_all_close(x, jnp.abs(x), atol=1e-3)
    return jnp.sqrt(x)


@partial(jax.jit, static_argnames="config")
def advance(particles, config):
    positions = particles.positions + config.dt * particles.velocities
    velocities = particles.velocities
    if config.bounce:
        velocities = jnp.where(jnp.abs(positions) > 1, -velocities, velocities)
    return Particles(positions=positions, velocities=velocities)


config = Config()
particles = Particles(positions=jnp.linspace(-1, 1, 6), velocities=jnp.arange(6.0) - 2.5)
for _ in range(4):
    particles = advance(particles, config)
root = checked_sqrt(particles["positions"] ** 2)
print(float(root.sum()), float(particles["velocities"].sum()))
