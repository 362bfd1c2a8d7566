"""Diffrax: a geometric Brownian motion by Milstein and by Euler on a virtual Brownian tree, many paths."""

import diffrax
import jax
import jax.numpy as jnp


def path(key, volatility):
    motion = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)
    terms = diffrax.MultiTerm(
        diffrax.ODETerm(lambda t, y, args: 0.1 * y),
        diffrax.ControlTerm(lambda t, y, args: volatility * y, motion),
    )
    milstein = diffrax.diffeqsolve(terms, diffrax.ItoMilstein(), 0.0, 1.0, 0.1, jnp.array(1.0))
    euler = diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.1, jnp.array(1.0))
    return milstein.ys[-1], euler.ys[-1]


@jax.jit
def mean_difference(keys, volatility):
    milstein, euler = jax.vmap(path, in_axes=(0, None))(keys, volatility)
    return jnp.mean(milstein), jnp.mean(jnp.abs(milstein - euler))


for volatility in (0.1, 0.3):
    mean, difference = mean_difference(jax.random.split(jax.random.key(5), 8), volatility)
print(float(mean), float(difference))
