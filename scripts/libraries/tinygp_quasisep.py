"""tinygp: the scalable quasiseparable solver on a time series, with a custom kernel and a transform."""

import jax
import jax.numpy as jnp
import numpy as np
from tinygp import GaussianProcess, kernels, transforms

random = np.random.default_rng(1)
t = jnp.sort(jnp.asarray(random.uniform(0, 10, 20), jnp.float32))
y = jnp.sin(2 * t) + 0.1 * jnp.asarray(random.normal(size=20), jnp.float32)


@jax.jit
def log_likelihood(parameters):
    scale, quality = jnp.exp(parameters)
    kernel = kernels.quasisep.Matern52(scale=scale) + kernels.quasisep.SHO(omega=2.0, quality=quality)
    return GaussianProcess(kernel, t, diag=0.1).log_probability(y)


@jax.jit
def sample(key, parameters):
    points = jnp.stack([t[:6], y[:6]], axis=-1)
    kernel = transforms.Linear(jnp.exp(parameters), kernels.Matern52())
    return GaussianProcess(kernel, points, diag=1e-2).sample(key, shape=(2,))


parameters = jnp.array([0.1, 0.2])
gradient = jax.jit(jax.grad(log_likelihood))
for _ in range(2):
    parameters = parameters + 1e-3 * gradient(parameters)
print(float(log_likelihood(parameters)), float(sample(jax.random.key(0), parameters).sum()))
