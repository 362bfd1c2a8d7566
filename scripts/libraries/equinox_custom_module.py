"""An Equinox module of one's own: static fields, tree_at, partition, an ensemble by filter_vmap."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import Array


class Oscillator(eqx.Module):
    frequency: Array
    damping: Array
    steps: int = eqx.field(static=True)
    name: str = eqx.field(static=True, default="oscillator")

    def __call__(self, y):
        def body(y, _):
            position, velocity = y
            force = -(self.frequency**2) * position - self.damping * velocity
            return (position + 0.1 * velocity, velocity + 0.1 * force), position

        return jax.lax.scan(body, y, None, length=self.steps)[1]


@eqx.filter_vmap
def make(frequency):
    return Oscillator(frequency, jnp.array(0.1), steps=10)


@eqx.filter_jit
def energies(models, y):
    return eqx.filter_vmap(lambda model: jnp.sum(model(y) ** 2))(models)


models = make(jnp.linspace(0.5, 2.0, 4))
start = (jnp.array(1.0), jnp.array(0.0))
single = Oscillator(jnp.array(1.5), jnp.array(0.2), 12)
single = eqx.tree_at(lambda m: m.damping, single, jnp.array(0.3))
dynamic, static = eqx.partition(single, eqx.is_array)
gradient = jax.jit(jax.grad(lambda d: jnp.sum(eqx.combine(d, static)(start))))(dynamic)
print(float(energies(models, start).sum()), float(gradient.frequency))
