"""NumPyro: the eight schools by NUTS, with a progress-free MCMC of a few draws."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, Predictive
from numpyro.infer.reparam import LocScaleReparam

EFFECTS = jnp.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = jnp.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


@numpyro.handlers.reparam(config={"theta": LocScaleReparam(0)})
def schools(errors, effects=None):
    mu = numpyro.sample("mu", dist.Normal(0, 5))
    tau = numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("schools", len(errors)):
        theta = numpyro.sample("theta", dist.Normal(mu, tau))
        numpyro.sample("obs", dist.Normal(theta, errors), obs=effects)


mcmc = MCMC(NUTS(schools), num_warmup=10, num_samples=10, progress_bar=False)
mcmc.run(jax.random.key(0), ERRORS, effects=EFFECTS)
samples = mcmc.get_samples()
predictive = Predictive(schools, samples, return_sites=["obs"])(jax.random.key(1), ERRORS)
print(float(samples["mu"].mean()), float(predictive["obs"].mean()))
