"""A Flax Linen CNN with batch normalisation: mutable collections, pooling, momentum SGD."""

from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Conv(4, (3, 3))(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
        x = nn.avg_pool(nn.relu(x), (2, 2), strides=(2, 2))
        x = nn.max_pool(nn.relu(nn.Conv(8, (3, 3), strides=2)(x)), (2, 2))
        return nn.Dense(10)(x.reshape(x.shape[0], -1))


model = CNN()
optimizer = optax.sgd(0.05, momentum=0.9, nesterov=True)


@partial(jax.jit, donate_argnums=(0, 2))
def step(params, batch_stats, opt_state, images, labels):
    def loss_of(params):
        logits, updates = model.apply(
            {"params": params, "batch_stats": batch_stats}, images, True, mutable=["batch_stats"]
        )
        one_hot = jax.nn.one_hot(labels, 10)
        return optax.softmax_cross_entropy(logits, one_hot).mean(), updates["batch_stats"]

    (loss, batch_stats), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
    updates, opt_state = optimizer.update(gradients, opt_state, params)
    return optax.apply_updates(params, updates), batch_stats, opt_state, loss


random = np.random.default_rng(1)
images = random.normal(size=(8, 12, 12, 1)).astype(np.float32)
labels = random.integers(0, 10, 8)
variables = model.init(jax.random.PRNGKey(0), jnp.ones((1, 12, 12, 1)), False)
params, batch_stats = variables["params"], variables["batch_stats"]
opt_state = optimizer.init(params)
for _ in range(2):
    params, batch_stats, opt_state, loss = step(params, batch_stats, opt_state, images, labels)
print(float(loss))
