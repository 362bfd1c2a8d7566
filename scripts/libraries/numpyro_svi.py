"""NumPyro: logistic regression by stochastic variational inference, by svi.update and by svi.run."""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoLowRankMultivariateNormal, AutoNormal


def model(x, y=None):
    weights = numpyro.sample("weights", dist.Normal(jnp.zeros(x.shape[1]), 1.0).to_event(1))
    bias = numpyro.sample("bias", dist.StudentT(3.0, 0.0, 2.0))
    with numpyro.plate("data", x.shape[0]):
        return numpyro.sample("y", dist.Bernoulli(logits=x @ weights + bias), obs=y)


random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(20, 3)), jnp.float32)
y = (x[:, 0] - x[:, 1] > 0).astype(jnp.int32)

svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.05), Trace_ELBO(num_particles=2))
state = svi.init(jax.random.key(0), x, y)
update = jax.jit(svi.update)
for _ in range(3):
    state, loss = update(state, x, y)

guide = AutoLowRankMultivariateNormal(model)
result = SVI(model, guide, numpyro.optim.ClippedAdam(0.01), Trace_ELBO()).run(
    jax.random.key(1), 5, x, y, progress_bar=False
)
median = guide.median(result.params)
print(
    *(f"{float(x):.4g}" for x in (loss, result.losses[-1], median["weights"].sum()))
)  # its last digits vary
