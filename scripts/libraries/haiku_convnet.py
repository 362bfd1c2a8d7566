"""dm-haiku: convolutions with batch norm state through transform_with_state; depthwise and transposed ones."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


@hk.transform_with_state
def network(x, training):
    x = hk.Conv2D(4, 3, stride=2)(x)
    x = jax.nn.relu(hk.BatchNorm(True, True, 0.9)(x, training))
    x = hk.DepthwiseConv2D(2, 3)(x)
    x = hk.MaxPool(2, 2, "VALID")(x)
    x = hk.Conv2DTranspose(3, 3, stride=2)(x)
    x = hk.AvgPool(2, 2, "SAME")(x)
    return hk.Linear(2)(hk.Flatten()(x))


@jax.jit
def step(params, state, x, y):
    def loss_of(params):
        predictions, new_state = network.apply(params, state, None, x, True)
        return jnp.mean((predictions - y) ** 2), new_state

    (loss, state), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradients), state, loss


random = np.random.default_rng(1)
x = random.normal(size=(2, 12, 12, 3)).astype(np.float32)
y = random.normal(size=(2, 2)).astype(np.float32)
params, state = network.init(jax.random.PRNGKey(0), x, True)
for _ in range(2):
    params, state, loss = step(params, state, x, y)
evaluate = jax.jit(lambda params, state, x: network.apply(params, state, None, x, False)[0])
print(float(loss), float(evaluate(params, state, x).sum()))
