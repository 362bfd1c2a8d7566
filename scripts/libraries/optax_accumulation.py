"""Optax: gradient accumulation, masked weight decay, different optimizers per parameter, skipped NaNs."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

random = np.random.default_rng(1)
batches = jnp.asarray(random.normal(size=(6, 8, 4)), jnp.float32)
params = {"dense": {"kernel": jnp.ones((4, 3)), "bias": jnp.zeros(3)}, "scale": jnp.ones(3)}

labels = {"dense": {"kernel": "slow", "bias": "fast"}, "scale": "fixed"}
per_label = optax.multi_transform(
    {"slow": optax.adam(1e-3), "fast": optax.lamb(1e-2), "fixed": optax.set_to_zero()}, labels
)
decay = optax.masked(optax.add_decayed_weights(1e-2), lambda p: jax.tree.map(lambda a: a.ndim > 1, p))
optimizer = optax.MultiSteps(
    optax.apply_if_finite(optax.chain(decay, optax.scale_by_trust_ratio(), per_label), 3), every_k_schedule=2
)


def loss_of(params, x):
    hidden = jnp.tanh(x @ params["dense"]["kernel"] + params["dense"]["bias"])
    return jnp.mean((hidden * params["scale"]).sum(-1) ** 2)


@jax.jit
def step(params, state, x):
    gradients = jax.grad(loss_of)(params, x)
    updates, state = optimizer.update(gradients, state, params)
    return optax.apply_updates(params, updates), state, optax.global_norm(gradients)


state = optimizer.init(params)
for x in batches[:4]:
    params, state, norm = step(params, state, x)
print(float(norm), float(loss_of(params, batches[-1])), bool(optimizer.has_updated(state)))
