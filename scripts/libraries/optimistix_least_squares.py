"""Optimistix: curve fitting by Levenberg-Marquardt, Gauss-Newton and dogleg, over a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx

ts = jnp.linspace(0.0, 2.0, 12)


def residuals(parameters, data):
    amplitude, rate = parameters
    return amplitude * jnp.exp(-rate * ts) - data


def fit(data, solver):
    start = (jnp.array(1.0), jnp.array(1.0))
    solution = optx.least_squares(residuals, solver, start, args=data, max_steps=64, throw=False)
    return solution.value


random = np.random.default_rng(0)
data = 2.0 * jnp.exp(-0.7 * ts) + 0.05 * jnp.asarray(random.normal(size=(3, 12)), jnp.float32)
solvers = (
    optx.LevenbergMarquardt(rtol=1e-5, atol=1e-5),
    optx.GaussNewton(rtol=1e-5, atol=1e-5),
    optx.Dogleg(rtol=1e-5, atol=1e-5),
)
total = 0.0
for solver in solvers:
    amplitudes, rates = jax.jit(jax.vmap(lambda d, solver=solver: fit(d, solver)))(data)
    total += float(amplitudes.mean() + rates.mean())
print(total)
