"""Diffrax and Equinox: a neural ODE trained on a batch of spirals, with filter_jit and Optax."""

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class NeuralODE(eqx.Module):
    field: eqx.nn.MLP

    def __init__(self, key):
        self.field = eqx.nn.MLP(2, 2, 8, 1, activation=jnp.tanh, key=key)

    def __call__(self, ts, y0):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, args: self.field(y)),
            diffrax.Heun(),
            t0=ts[0],
            t1=ts[-1],
            dt0=ts[1] - ts[0],
            y0=y0,
            saveat=diffrax.SaveAt(ts=ts),
        )
        return solution.ys


optimizer = optax.adabelief(1e-2)


@eqx.filter_jit
def step(model, state, ts, ys):
    def loss_of(model):
        return jnp.mean((jax.vmap(model, in_axes=(None, 0))(ts, ys[:, 0]) - ys) ** 2)

    loss, gradients = eqx.filter_value_and_grad(loss_of)(model)
    updates, state = optimizer.update(gradients, state)
    return eqx.apply_updates(model, updates), state, loss


ts = jnp.linspace(0.0, 1.0, 5)
phase = jax.random.uniform(jax.random.key(1), (4, 1)) + ts
ys = jnp.stack([jnp.exp(-ts) * jnp.cos(phase), jnp.exp(-ts) * jnp.sin(phase)], axis=-1)
model = NeuralODE(jax.random.key(0))
state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
for _ in range(2):
    model, state, loss = step(model, state, ts, ys)
print(float(loss))
