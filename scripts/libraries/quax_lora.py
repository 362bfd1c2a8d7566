"""Quax: a low-rank adaptation array type pushed through an Equinox layer by multiple dispatch, under jit and grad."""

import equinox as eqx
import jax
import jax.numpy as jnp
import quax
from quax.examples.lora import loraify

model = eqx.nn.MLP(3, 1, width_size=6, depth=1, key=jax.random.key(0))
model = loraify(model, rank=2, key=jax.random.key(1))


@eqx.filter_jit
def step(model, x):
    def loss_of(model):
        return jnp.mean(jax.vmap(quax.quaxify(lambda m, x: m(x)), in_axes=(None, 0))(model, x) ** 2)

    return eqx.filter_value_and_grad(loss_of)(model)


x = jnp.linspace(-1.0, 1.0, 12).reshape(4, 3)
for _ in range(2):
    loss, gradients = step(model, x)
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, gradients))
print(float(loss))
