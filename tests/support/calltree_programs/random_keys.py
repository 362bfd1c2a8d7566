"""Programs: random."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from calltree_programs.base import X, program


@program(jax.random.key(3))
def new_keys(key):
    first, second = jax.random.split(key)
    many = jax.random.split(second, 3)
    return (
        jax.random.normal(first, (3,)),
        jax.random.uniform(second, (2, 2), minval=-1.0, maxval=1.0),
        jax.vmap(lambda k: jax.random.bits(k, (2,)))(many),
        jax.random.fold_in(key, 7),
        jax.random.key_data(many),
        jax.random.randint(key, (4,), 0, 10),
        jax.random.permutation(first, jnp.arange(5)),
        lax.scan(lambda k, _: (jax.random.split(k)[0], jax.random.normal(k)), key, None, length=2)[1],
        jax.random.key(5),
        jax.random.normal(jax.random.key(1)),
    )


@program(np.array([0, 42], np.uint32), X)
def old_keys(key, x):
    key, sub = jax.random.split(key)
    keep = jax.random.bernoulli(sub, 0.5, x.shape)
    other = jax.random.PRNGKey(11)
    return (
        jnp.where(keep, x / 0.5, 0),
        jax.random.normal(key, (2,), dtype=jnp.float16),
        jax.random.categorical(other, x),
        jax.random.choice(key, 5, (2,), replace=False),
        jax.random.gumbel(key, (3,)),
        jax.random.truncated_normal(sub, -1.0, 1.0, (2,)),
        jax.random.orthogonal(key, 2),
    )
