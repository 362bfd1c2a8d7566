"""vmap with in_axes and out_axes trees, nested, with axis names and collectives; per-example gradients."""

import jax
import jax.numpy as jnp
import numpy as np


def affine(params, x, scale):
    return scale * (params["w"] @ x + params["b"])


batched = jax.jit(jax.vmap(affine, in_axes=({"w": None, "b": 0}, 1, None), out_axes=1))
every_pair = jax.jit(jax.vmap(jax.vmap(jnp.dot, in_axes=(None, 0)), in_axes=(0, None)))


def normalised(x):
    centred = x - jax.lax.pmean(x, "batch")
    return centred / jnp.sqrt(jax.lax.psum(centred**2, "batch") + 1e-5), jax.lax.axis_index("batch")


@jax.jit
def per_example_clipped(params, xs):
    def loss_of(params, x):
        return jnp.sum(affine(params, x, 1.0) ** 2)

    gradients = jax.vmap(jax.grad(loss_of), in_axes=(None, 0))(params, xs)
    norms = jax.vmap(lambda g: jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(g))))(gradients)
    factor = jnp.minimum(1.0, 1.0 / norms)
    return jax.tree.map(lambda g: jnp.einsum("n,n...->...", factor, g), gradients)


random = np.random.default_rng(5)
params = {"w": jnp.asarray(random.normal(size=(2, 3)), jnp.float32), "b": jnp.zeros(2)}
xs = jnp.asarray(random.normal(size=(5, 3)), jnp.float32)
out = batched({"w": params["w"], "b": jnp.ones((5, 2))}, xs.T, 2.0)
scaled, index = jax.jit(jax.vmap(normalised, axis_name="batch"))(xs)
for _ in range(2):
    params = jax.tree.map(lambda p, g: p - 0.01 * g, params, per_example_clipped(params, xs))
print(
    float(out.sum()),
    float(every_pair(xs, xs).sum()),
    float(scaled.sum()),
    int(index.sum()),
    float(params["w"].sum()),
)
