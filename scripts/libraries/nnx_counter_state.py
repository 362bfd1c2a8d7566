"""Flax NNX with its own state: a counter, random streams, metrics and a custom variable type."""

import jax
import jax.numpy as jnp
from flax import nnx


class Count(nnx.Variable):
    pass


class Noisy(nnx.Module):
    def __init__(self, rngs):
        self.weight = nnx.Param(jax.random.normal(rngs.params(), (4, 4)))
        self.count = Count(jnp.array(0))
        self.rngs = rngs

    def __call__(self, x):
        self.count[...] += 1
        return x @ self.weight[...] + 0.1 * jax.random.normal(self.rngs.noise(), x.shape)


@nnx.jit
def forward(model, metrics, x):
    y = model(model(x))
    metrics.update(loss=jnp.mean(y**2), size=jnp.max(jnp.abs(y)))
    return y


model = Noisy(nnx.Rngs(params=0, noise=1))
metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"), size=nnx.metrics.Average("size"))
x = jnp.ones((2, 4))
for _ in range(3):
    x = forward(model, metrics, x) / 10
values = metrics.compute()
print(int(model.count[...]), float(values["loss"]), float(values["size"]))
