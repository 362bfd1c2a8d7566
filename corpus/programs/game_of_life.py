"""Conway's game of life on a torus: booleans, integer sums, rolls and a counted loop.

python game_of_life.py [SIZE]        SIZE: number of cells, default 2^14
"""

import math
import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

SHIFTS = tuple((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))


def generation(alive):
    neighbours = sum(jnp.roll(alive, shift, (0, 1)).astype(jnp.uint8) for shift in SHIFTS)
    return (neighbours == 3) | (alive & (neighbours == 2))


@partial(jax.jit, static_argnames="steps")
def evolve(alive, steps):
    """bool (N, N) -> bool (N, N) after `steps` generations, and the i32 population of each."""

    def body(step, carry):
        alive, population = carry
        alive = generation(alive)
        return alive, population.at[step].set(alive.sum(dtype=jnp.int32))

    return jax.lax.fori_loop(0, steps, body, (alive, jnp.zeros(steps, jnp.int32)))


def main(size=2**14):
    edge = max(4, math.isqrt(size))
    alive = np.random.default_rng(1970).random((edge, edge)) < 0.35
    alive, population = evolve(alive, steps=32)
    print(f"game_of_life: {edge} x {edge}, population {np.asarray(population)[[0, 7, 15, 31]].tolist()}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
