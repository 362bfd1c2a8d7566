"""A gravitational N-body problem in double precision: leapfrog by scan, energies, a parameter sweep by vmap."""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

SOFTENING = 1e-2


def potential(positions, masses):
    difference = positions[:, None] - positions[None]
    distance = jnp.sqrt(jnp.sum(difference**2, -1) + SOFTENING**2)
    pairs = jnp.triu(masses[:, None] * masses[None] / distance, k=1)
    return -jnp.sum(pairs)


@jax.jit
def leapfrog(state, masses, dt):
    def body(state, _):
        x, v = state
        v = v - 0.5 * dt * jax.grad(potential)(x, masses) / masses[:, None]
        x = x + dt * v
        v = v - 0.5 * dt * jax.grad(potential)(x, masses) / masses[:, None]
        return (x, v), potential(x, masses) + 0.5 * jnp.sum(masses[:, None] * v**2)

    return jax.lax.scan(body, state, length=5)


random = np.random.default_rng(8)
state = jnp.asarray(random.normal(size=(4, 3))), jnp.asarray(0.1 * random.normal(size=(4, 3)))
masses = jnp.ones(4)
for _ in range(2):
    state, energies = leapfrog(state, masses, 1e-2)
drifts = jax.jit(jax.vmap(lambda dt: jnp.ptp(leapfrog(state, masses, dt)[1])))(jnp.array([1e-3, 1e-2]))
print(float(energies[-1]), float(drifts.max()))
