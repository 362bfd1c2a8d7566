"""Random keys, new and old style, several generators: split, fold_in, in loops, in pytrees, as arguments."""

import jax
import jax.numpy as jnp
from jax import random


@jax.jit
def walk(key, steps):
    def body(carry, key):
        return carry + random.normal(key, (2,)), carry

    return jax.lax.scan(body, jnp.zeros(2), random.split(key, 5))[0] * steps


@jax.jit
def draws(key):
    keys = iter(random.split(key, 10))
    return [
        random.uniform(next(keys), (3,), minval=-1.0),
        random.gamma(next(keys), 2.0, (3,)),
        random.categorical(next(keys), jnp.zeros((2, 4)), axis=-1),
        random.permutation(next(keys), 6),
        random.choice(next(keys), 9, (3,), replace=False),
        random.bernoulli(next(keys), 0.3, (4,)),
        random.truncated_normal(next(keys), -1.0, 1.0, (3,)),
        random.poisson(next(keys), 3.0, (3,)),
        random.multivariate_normal(next(keys), jnp.zeros(2), jnp.eye(2)),
        random.bits(next(keys), (2,), jnp.uint8),
    ]


@jax.jit
def advance(state):
    key, sub = random.split(state["key"])
    return {"key": key, "x": state["x"] + random.normal(sub)}


old, new = random.PRNGKey(0), random.key(0)
assert (random.key_data(new) == old).all()
state = {"key": random.fold_in(new, 7), "x": jnp.array(0.0)}
for _ in range(3):
    state = advance(state)
noise = jax.jit(lambda key: jax.vmap(random.normal)(random.split(key, 3)))
fast = random.normal(random.split(random.key(1, impl="rbg"))[0], (3,))
wrapped = random.wrap_key_data(jnp.array([1, 2], jnp.uint32))
total = sum(float(jnp.sum(d)) for d in draws(random.clone(wrapped)))
print(
    float(walk(old, 2).sum() + walk(new, 1).sum()),
    float(state["x"]),
    float(noise(new).sum() + fast.sum()),
    total,
)
