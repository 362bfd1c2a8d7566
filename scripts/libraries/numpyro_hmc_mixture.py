"""NumPyro: a Gaussian mixture with marginalised assignments by HMC, and its discrete posterior."""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import HMC, MCMC
from numpyro.infer.util import log_density

random = np.random.default_rng(1)
data = jnp.asarray(np.concatenate([random.normal(-2, 0.5, 10), random.normal(2, 1.0, 10)]), jnp.float32)


def mixture(data):
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(2)))
    with numpyro.plate("components", 2):
        locations = numpyro.sample("locations", dist.Normal(0.0, 5.0))
        scales = numpyro.sample("scales", dist.LogNormal(0.0, 1.0))
    components = dist.Normal(locations, scales)
    with numpyro.plate("data", len(data)):
        numpyro.sample("obs", dist.MixtureSameFamily(dist.Categorical(weights), components), obs=data)


mcmc = MCMC(
    HMC(mixture, num_steps=3),
    num_warmup=5,
    num_samples=5,
    num_chains=2,
    chain_method="vectorized",
    progress_bar=False,
)
mcmc.run(jax.random.key(0), data)
draws = mcmc.get_samples()


@jax.jit
def densities(draws):
    return jax.vmap(lambda draw: log_density(mixture, (data,), {}, draw)[0])(draws)


print(float(draws["locations"].mean()), float(densities(draws).mean()))
