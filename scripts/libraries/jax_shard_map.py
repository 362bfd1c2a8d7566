"""Sharding on the devices there are: a mesh, NamedSharding, shard_map with collectives, sharding constraints."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((len(jax.devices()),), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
rows = NamedSharding(mesh, P("data"))
everywhere = NamedSharding(mesh, P())


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=(P("data"), P()), out_specs=(P("data"), P()))
def normalise(x, weights):
    y = x @ weights
    mean = jax.lax.pmean(jnp.mean(y), "data")
    return y - mean, jax.lax.psum(jnp.sum(y**2), "data")


@jax.jit
def step(weights, x):
    x = jax.lax.with_sharding_constraint(x, rows)
    loss, gradient = jax.value_and_grad(lambda w: jnp.mean(normalise(x, w)[0] ** 2))(weights)
    return jax.lax.with_sharding_constraint(weights - 0.1 * gradient, everywhere), loss


random = np.random.default_rng(7)
x = jax.device_put(random.normal(size=(8, 3)).astype(np.float32), rows)
weights = jax.device_put(random.normal(size=(3, 2)).astype(np.float32), everywhere)
for _ in range(3):
    weights, loss = step(weights, x)
print(float(loss), float(normalise(x, weights)[1]))
