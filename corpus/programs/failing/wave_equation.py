"""A vibrating string by the leapfrog scheme: each step needs the two before it.

The loop carries (past, present) and hands on (present, future). DaCe's auto_optimize breaks that hand-over,
so this program is wrong when it runs through the pipeline canonical/auto-optimize, right through the others:

    jace-repro run --pipeline canonical/auto-optimize corpus/programs/failing/wave_equation.py

    python wave_equation.py [SIZE]        SIZE: number of points, default 64
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

COURANT = 0.5


@partial(jax.jit, static_argnames="steps")
def vibrate(displacement, steps):
    """f32 (N,) at rest -> f32 (N,) after `steps` steps, both ends fixed."""

    def step(_, state):
        past, present = state
        future = 2.0 * present - past
        curvature = jnp.zeros_like(present).at[1:-1].set(present[2:] - 2.0 * present[1:-1] + present[:-2])
        return present, future + COURANT**2 * curvature

    return jax.lax.fori_loop(0, steps, step, (displacement, displacement))[1]


def main(size=64):
    string = np.sin(np.linspace(0.0, np.pi, size, dtype=np.float32))
    string[[0, -1]] = 0.0
    after = np.asarray(vibrate(string, 4 * size))
    print(f"wave_equation: {size} points, middle {after[size // 2]:.5f}, largest {np.abs(after).max():.5f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
