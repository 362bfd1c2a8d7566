"""Gymnax: a linear policy on CartPole improved by evolution, the episodes under scan and vmap."""

import gymnax
import jax
import jax.numpy as jnp

environment, parameters = gymnax.make("CartPole-v1")


@jax.jit
def episode(key, weights):
    reset_key, key = jax.random.split(key)
    observation, state = environment.reset(reset_key, parameters)

    def body(carry, key):
        observation, state, alive = carry
        action = (observation @ weights > 0).astype(jnp.int32)
        observation, state, reward, done, *_ = environment.step(key, state, action, parameters)
        return (observation, state, alive * (1 - done)), reward * alive

    return jax.lax.scan(body, (observation, state, 1.0), jax.random.split(key, 10))[1].sum()


@jax.jit
def improve(key, mean):
    noise_key, run_key = jax.random.split(key)
    population = mean + jax.random.normal(noise_key, (6, 4))
    rewards = jax.vmap(episode)(jax.random.split(run_key, 6), population)
    return jax.nn.softmax(rewards) @ population, rewards.max()


mean = jnp.zeros(4)
for i in range(2):
    mean, best = improve(jax.random.key(i), mean)
print(float(best), float(mean.sum()))
