"""An Equinox MLP with filter_jit, filter_value_and_grad and Optax."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(16, 3)), jnp.float32)
y = jnp.sum(x**2, axis=1, keepdims=True)
model = eqx.nn.MLP(3, 1, width_size=8, depth=2, activation=jax.nn.softplus, key=jax.random.key(0))
optimizer = optax.adam(1e-2)


@eqx.filter_value_and_grad
def loss_of(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


@eqx.filter_jit
def step(model, state, x, y):
    loss, gradients = loss_of(model, x, y)
    updates, state = optimizer.update(gradients, state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, loss


state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
for _ in range(3):
    model, state, loss = step(model, state, x, y)
print(float(loss))
