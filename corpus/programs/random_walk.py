"""Random walkers with obstacles: split, fold_in, normal, uniform, bernoulli and randint inside a scan.

python random_walk.py [SIZE]        SIZE: number of walkers, default 2^14
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames=("walkers", "steps"))
def walk(seed, walkers, steps):
    """u32 seed -> positions f32 (walkers, 2) and the f32 mean square distance after each step."""
    start, path = jax.random.split(jax.random.key(seed))
    positions = jax.random.uniform(start, (walkers, 2), minval=-1.0, maxval=1.0)

    def step(positions, index):
        move, stuck, side = jax.random.split(jax.random.fold_in(path, index), 3)
        stride = jax.random.normal(move, (walkers, 2))
        free = jax.random.bernoulli(stuck, 0.8, (walkers, 1))
        drift = jax.random.randint(side, (walkers, 2), -1, 2).astype(jnp.float32)
        positions = positions + jnp.where(free, stride + 0.125 * drift, 0.0)
        return positions, jnp.mean(jnp.sum(positions**2, axis=1))

    return jax.lax.scan(step, positions, jnp.arange(steps))


def main(size=2**14):
    positions, spread = walk(np.uint32(1905), size, 8)
    spread = np.asarray(spread)
    print(
        f"random_walk: spread {spread[0]:.5f} .. {spread[-1]:.5f}, mean {np.mean(np.asarray(positions)):.6f}"
    )


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
