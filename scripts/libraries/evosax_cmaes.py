"""evosax: CMA-ES and OpenES on the sphere function by the ask and tell interface."""

import jax
import jax.numpy as jnp
from evosax.algorithms import CMA_ES, Open_ES


def sphere(x):
    return jnp.sum((x - 0.5) ** 2, axis=-1)


total = 0.0
for algorithm in (CMA_ES, Open_ES):
    strategy = algorithm(population_size=8, solution=jnp.zeros(3))
    params = strategy.default_params
    key = jax.random.key(0)
    state = strategy.init(key, jnp.zeros(3), params)
    for _ in range(3):
        key, ask_key, tell_key = jax.random.split(key, 3)
        population, state = strategy.ask(ask_key, state, params)
        state, metrics = strategy.tell(tell_key, population, sphere(population), state, params)
    total += float(metrics["best_fitness"])
print(total)
