"""JAX-CFD: decaying turbulence on a staggered grid, semi-implicit steps, some under lax.scan by funcutils."""

import jax
import jax.numpy as jnp
import jax_cfd.base as cfd

SIZE, VISCOSITY, DT = 16, 1e-2, 1e-2
grid = cfd.grids.Grid((SIZE, SIZE), domain=((0, 2 * jnp.pi), (0, 2 * jnp.pi)))
velocity = cfd.initial_conditions.filtered_velocity_field(jax.random.key(0), grid, 1.0, 2)
step = jax.jit(cfd.equations.semi_implicit_navier_stokes(density=1.0, viscosity=VISCOSITY, dt=DT, grid=grid))
for _ in range(2):
    velocity = step(velocity)
roll_out = jax.jit(cfd.funcutils.trajectory(cfd.funcutils.repeated(step, 2), 3))
final, trajectory = roll_out(velocity)
vorticity = cfd.finite_differences.curl_2d(final).data
print(float(jnp.mean(vorticity**2)), trajectory[0].data.shape[0])
