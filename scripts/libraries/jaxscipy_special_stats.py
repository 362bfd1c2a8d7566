"""jax.scipy: special functions and distributions, a Poisson regression by Newton's method."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import special, stats

random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(20, 2)), jnp.float32)
counts = jnp.asarray(random.poisson(2.0, 20))


@jax.jit
def log_posterior(w):
    rate = jnp.exp(x @ w + 0.5)
    return stats.poisson.logpmf(counts, rate).sum() + stats.norm.logpdf(w, 0.0, 2.0).sum()


@jax.jit
def newton(w):
    return w - jnp.linalg.solve(jax.hessian(log_posterior)(w), jax.grad(log_posterior)(w))


@jax.jit
def special_values(a, b):
    return (
        special.gammaln(a) + special.digamma(b) + special.betainc(a, b, 0.3) + special.gammainc(a, b)
        + special.erf(a) * special.erfinv(b / 10) + special.i0e(a) + special.zeta(a + 1.5, b)
        + special.polygamma(1, a) + special.logsumexp(jnp.stack([a, b]), axis=0) + special.ndtri(b / 10)
        + special.expi(a) + special.xlogy(a, b)
    )  # fmt: skip


w = jnp.zeros(2)
for _ in range(3):
    w = newton(w)
values = special_values(jnp.linspace(0.5, 3.0, 5), jnp.linspace(1.0, 4.0, 5))
tail = stats.gamma.sf(2.0, 3.0) + stats.t.logpdf(0.3, 4.0) + stats.beta.cdf(0.4, 2.0, 3.0)
print(float(w.sum()), float(values.sum()), float(tail))
