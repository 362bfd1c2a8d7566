"""Optax: L-BFGS with its line search, on the Rosenbrock function, and a sharpness-aware look-ahead."""

import jax
import jax.numpy as jnp
import optax


def rosenbrock(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


optimizer = optax.lbfgs(memory_size=4)
value_and_grad = optax.value_and_grad_from_state(rosenbrock)


@jax.jit
def step(x, state):
    value, gradient = value_and_grad(x, state=state)
    updates, state = optimizer.update(gradient, state, x, value=value, grad=gradient, value_fn=rosenbrock)
    return optax.apply_updates(x, updates), state


x = jnp.array([-1.2, 1.0, 0.5])
state = optimizer.init(x)
for _ in range(3):
    x, state = step(x, state)

slow_fast = optax.lookahead(optax.sgd(1e-4), sync_period=2, slow_step_size=0.5)
pair = optax.LookaheadParams.init_synced(x)
pair_state = slow_fast.init(pair)
for _ in range(2):
    updates, pair_state = slow_fast.update(jax.grad(rosenbrock)(pair.fast), pair_state, pair)
    pair = optax.apply_updates(pair, updates)
print(float(rosenbrock(x)), float(rosenbrock(pair.slow)))
