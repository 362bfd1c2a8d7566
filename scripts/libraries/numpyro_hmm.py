"""NumPyro: a hidden Markov model with numpyro.contrib.control_flow.scan, and prior samples of distributions."""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.contrib.control_flow import scan
from numpyro.infer import MCMC, NUTS, Predictive

STEPS = 6


def random_walk(observed=None):
    scale = numpyro.sample("scale", dist.HalfNormal(1.0))
    start = numpyro.sample("start", dist.Normal(0.0, 1.0))

    def transition(state, y):
        state = numpyro.sample("state", dist.Normal(0.9 * state, scale))
        return state, numpyro.sample("y", dist.StudentT(4.0, state, 0.5), obs=y)

    return scan(transition, start, observed, length=STEPS)[1]


observed = jnp.asarray(np.random.default_rng(2).normal(size=STEPS), jnp.float32)
mcmc = MCMC(NUTS(random_walk, max_tree_depth=3), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.PRNGKey(0), observed)

prior = Predictive(random_walk, num_samples=3)(jax.random.PRNGKey(1))
keys = jax.random.split(jax.random.PRNGKey(2), 5)
distributions = (
    dist.Beta(2.0, 3.0),
    dist.Gamma(2.0, 1.0),
    dist.Poisson(3.0),
    dist.LKJCholesky(3),
    dist.VonMises(0.0, 2.0),
)
total = 0.0
for key, distribution in zip(keys, distributions, strict=True):
    draws = distribution.sample(key, (4,))
    total += float(distribution.log_prob(draws).sum())
print(float(mcmc.get_samples()["scale"].mean()), float(prior["y"].sum()), total)
