"""JAX MD: a Lennard-Jones fluid with neighbor lists under a Nose-Hoover thermostat."""

import jax
import jax.numpy as jnp
import numpy as np
from jax_md import energy, simulate, space

BOX, KT = 6.0, 0.5
displacement, shift = space.periodic(BOX)
neighbor_fn, energy_fn = energy.lennard_jones_neighbor_list(
    displacement, BOX, r_cutoff=2.0, dr_threshold=0.3, r_onset=1.5
)
grid = np.stack(np.meshgrid(np.arange(5), np.arange(5)), -1).reshape(-1, 2) * 1.2
positions = jnp.asarray(grid, jnp.float32)
neighbors = neighbor_fn.allocate(positions)
init, apply = simulate.nvt_nose_hoover(energy_fn, shift, 1e-3, KT)
state = init(jax.random.PRNGKey(1), positions, neighbor=neighbors)


@jax.jit
def step(state, neighbors):
    def body(_, carry):
        state, neighbors = carry
        state = apply(state, neighbor=neighbors)
        return state, neighbors.update(state.position)

    return jax.lax.fori_loop(0, 5, body, (state, neighbors))


for _ in range(2):
    state, neighbors = step(state, neighbors)
print(float(energy_fn(state.position, neighbors)), bool(neighbors.did_buffer_overflow))
