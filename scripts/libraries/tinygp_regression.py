"""tinygp: Gaussian process regression, its hyperparameters fitted by Optax, and predictions."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import tinygp

random = np.random.default_rng(0)
x = jnp.sort(jnp.asarray(random.uniform(0, 5, 15), jnp.float32))
y = jnp.sin(x) + 0.1 * jnp.asarray(random.normal(size=15), jnp.float32)


def build(params, x):
    kernel = jnp.exp(params["amplitude"]) * tinygp.kernels.Matern32(jnp.exp(params["scale"]))
    kernel += tinygp.kernels.ExpSquared(2.0)
    return tinygp.GaussianProcess(kernel, x, diag=jnp.exp(params["noise"]), mean=params["mean"])


@jax.jit
@jax.value_and_grad
def loss_of(params):
    return -build(params, x).log_probability(y)


@jax.jit
def predict(params, at):
    conditioned = build(params, x).condition(y, at)
    return conditioned.gp.loc, conditioned.gp.variance


params = {
    "amplitude": jnp.array(0.1),
    "scale": jnp.array(0.2),
    "noise": jnp.array(-2.0),
    "mean": jnp.array(0.0),
}
optimizer = optax.sgd(1e-2)
state = optimizer.init(params)
for _ in range(3):
    loss, gradients = loss_of(params)
    updates, state = optimizer.update(gradients, state)
    params = optax.apply_updates(params, updates)
mean, variance = predict(params, jnp.linspace(0.0, 5.0, 7))
print(float(loss), float(mean.sum()), float(variance.sum()))
