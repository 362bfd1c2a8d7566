"""JAX MD: soft spheres in a periodic box, minimised by FIRE and then moved at constant energy."""

import jax
import jax.numpy as jnp
from jax_md import energy, minimize, quantity, simulate, space

displacement, shift = space.periodic(4.0)
energy_of = energy.soft_sphere_pair(displacement)
key, position_key = jax.random.split(jax.random.PRNGKey(0))
positions = 4.0 * jax.random.uniform(position_key, (12, 2))

init, descend = minimize.fire_descent(energy_of, shift)
state = init(positions)
descend = jax.jit(descend)
for _ in range(3):
    state = descend(state)

init, step = simulate.nve(energy_of, shift, 1e-3)
state = init(key, state.position, kT=0.1)


@jax.jit
def ten_steps(state):
    return jax.lax.fori_loop(0, 10, lambda i, state: step(state), state)


for _ in range(2):
    state = ten_steps(state)
kinetic = quantity.kinetic_energy(momentum=state.momentum, mass=state.mass)
print(
    float(energy_of(state.position)),
    float(kinetic),
    float(jnp.abs(quantity.force(energy_of)(positions)).max()),
)
