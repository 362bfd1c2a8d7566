"""jnp.vectorize, apply_along_axis, einsum: batched geometry written for one element."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jnp.vectorize, signature="(n),(n)->()")
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2) + 1e-6)


@partial(jnp.vectorize, excluded=(1,), signature="(n,n)->(n),()")
def power_iteration(matrix, steps):
    v = jnp.ones(matrix.shape[0])
    for _ in range(steps):
        v = matrix @ v
        v = v / jnp.linalg.norm(v)
    return v, v @ matrix @ v


@jax.jit
def all_distances(points):
    return distance(points[:, None], points[None])


@jax.jit
def spread(points):
    ranks = jnp.apply_along_axis(jnp.argsort, 0, points)
    return jnp.einsum("ni,nj->ij", points, points) / points.shape[0], ranks


random = np.random.default_rng(3)
points = jnp.asarray(random.normal(size=(6, 3)), jnp.float32)
repel = jax.jit(jax.grad(lambda points: jnp.sum(jnp.exp(-all_distances(points)))))
for _ in range(2):
    points = points - 0.1 * repel(points)
covariance, ranks = spread(points)
vectors, values = jax.jit(power_iteration, static_argnums=1)(jnp.stack([covariance, covariance.T]), 4)
print(
    float(all_distances(points).sum()),
    float(values.sum()),
    float(jnp.abs(vectors).sum()),
    int(ranks[0].sum()),
)
