"""Arrays of typed PRNG keys: moving, comparing and branching on them, for every generator."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from jax import lax
from together import together

AT = np.array([1, 0], np.int32)


def compared(keys, i):
    return keys == keys[0], keys != keys[i[0]], jnp.where(jnp.arange(3) > 1, keys, keys[::-1])


def moved(keys, i):
    return (
        keys.reshape(6, 2),
        keys.T,
        keys[None],
        jnp.concatenate([keys, keys], 1),
        jnp.stack([keys, keys], 1),
        jnp.tile(keys, (2, 1)),
        jnp.split(keys, 3, axis=1)[1],
        lax.rev(keys, (0,)),
        jax.random.clone(lax.optimization_barrier(keys)),
    )


def indexed(keys, i):
    return (
        keys[i],
        keys[i[0], 1:],
        keys.at[i].set(keys[0]),
        lax.dynamic_slice(keys, (i[0], 0), (2, 2)),
        lax.dynamic_update_slice(keys, keys[:1], (i[0], 0)),
    )


def drawn(keys, i):
    split = jax.vmap(lambda k: jax.random.split(k, 2))(keys[:, 0])
    return (
        jax.vmap(jax.vmap(jax.random.bits))(keys),
        split,
        jax.vmap(jax.random.fold_in, (0, None))(keys[0], 3),
    )


def carried(keys, i):
    advance = lambda c: (jax.random.split(c[0])[0], c[1] + 1)
    return (
        lax.switch(i[0], [lambda k: k, lambda k: jax.random.split(k)[0]], keys[0, 0]),
        jax.vmap(lambda k, n: lax.while_loop(lambda c: c[1] < n, advance, (k, 0)))(keys[0], jnp.arange(3)),
    )


@together
@pytest.mark.parametrize("program", [compared, moved, indexed, drawn, carried], ids=lambda f: f.__name__)
@pytest.mark.parametrize("generator", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_keys(program, generator):
    if generator != "threefry2x32" and program is not compared and program is not drawn:
        pipelines: tuple[str, ...] = ("fused",)  # the words move alike, whatever their number
    else:
        pipelines = ("fused", "canonical")
    check(program, jax.random.split(jax.random.key(3, impl=generator), (4, 3)), AT, pipelines=pipelines)
