"""dm-haiku: an MLP classifier with dropout through hk.transform, trained by Optax."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


def network(x, training):
    x = hk.nets.MLP([16, 8], activation=jax.nn.silu, activate_final=True)(x)
    if training:
        x = hk.dropout(hk.next_rng_key(), 0.2, x)
    return hk.Linear(3, w_init=hk.initializers.RandomNormal(0.1))(x)


model = hk.transform(network)
optimizer = optax.adam(optax.cosine_decay_schedule(1e-2, 10))


def loss_of(params, key, x, labels):
    logits = model.apply(params, key, x, True)
    return -jnp.mean(jnp.sum(jax.nn.one_hot(labels, 3) * jax.nn.log_softmax(logits), axis=-1))


@jax.jit
def update(params, opt_state, key, x, labels):
    loss, gradients = jax.value_and_grad(loss_of)(params, key, x, labels)
    updates, opt_state = optimizer.update(gradients, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


random = np.random.default_rng(0)
x = random.normal(size=(12, 5)).astype(np.float32)
labels = random.integers(0, 3, 12)
keys = hk.PRNGSequence(42)
params = model.init(next(keys), x, True)
opt_state = optimizer.init(params)
for _ in range(3):
    params, opt_state, loss = update(params, opt_state, next(keys), x, labels)
print(float(loss), hk.data_structures.tree_size(params))
