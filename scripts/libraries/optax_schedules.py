"""Optax: five optimizers with schedules and clipping, on one least-squares problem."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(20, 5)), jnp.float32)
y = x @ jnp.arange(5.0) + 0.5

warmup = optax.warmup_cosine_decay_schedule(0.0, 0.1, warmup_steps=2, decay_steps=10)
piecewise = optax.piecewise_constant_schedule(0.1, {2: 0.5, 4: 0.1})
OPTIMIZERS = {
    "adamw": optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(warmup, weight_decay=1e-3)),
    "sgd": optax.sgd(piecewise, momentum=0.9, nesterov=True),
    "rmsprop": optax.rmsprop(optax.exponential_decay(0.05, 2, 0.9)),
    "lion": optax.lion(optax.join_schedules([optax.constant_schedule(0.01), warmup], [2])),
    "adafactor": optax.adafactor(0.05),
}


def fit(optimizer):
    params = {"w": jnp.zeros(5), "b": jnp.zeros(())}
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        loss, gradients = jax.value_and_grad(lambda p: jnp.mean((x @ p["w"] + p["b"] - y) ** 2))(params)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, loss

    for _ in range(3):
        params, state, loss = step(params, state)
    return float(loss)


print(sum(fit(optimizer) for optimizer in OPTIMIZERS.values()))
