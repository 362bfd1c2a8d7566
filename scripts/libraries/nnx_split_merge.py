"""A Flax NNX convolutional model in functional style: split, merge and plain jax transformations."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

model = nnx.Sequential(
    nnx.Conv(1, 4, (3, 3), rngs=nnx.Rngs(0)),
    nnx.relu,
    lambda x: nnx.max_pool(x, (2, 2), strides=(2, 2)),
    lambda x: x.reshape(x.shape[0], -1),
    nnx.LayerNorm(64, rngs=nnx.Rngs(1)),
    nnx.Linear(64, 3, rngs=nnx.Rngs(2)),
)
graph, params = nnx.split(model, nnx.Param)


@jax.jit
def step(params, x, y):
    def loss_of(params):
        return jnp.mean((nnx.merge(graph, params)(x) - y) ** 2)

    loss, gradients = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, gradients), loss


random = np.random.default_rng(1)
x = random.normal(size=(2, 8, 8, 1)).astype(np.float32)
y = random.normal(size=(2, 3)).astype(np.float32)
for _ in range(2):
    params, loss = step(params, x, y)
per_example = jax.vmap(lambda image: nnx.merge(graph, params)(image[None])[0])(jnp.asarray(x))
print(float(loss), float(per_example.sum()))
