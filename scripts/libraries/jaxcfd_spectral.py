"""JAX-CFD: forced vorticity by the pseudo-spectral solver with Crank-Nicolson RK4, and its spectrum."""

import jax
import jax.numpy as jnp
import jax_cfd.base as cfd
import jax_cfd.spectral as spectral

grid = cfd.grids.Grid((16, 16), domain=((0, 2 * jnp.pi), (0, 2 * jnp.pi)))
equation = spectral.equations.ForcedNavierStokes2D(1e-2, grid, smooth=True)
step = jax.jit(spectral.time_stepping.crank_nicolson_rk4(equation, 1e-2))
v0 = cfd.initial_conditions.filtered_velocity_field(jax.random.key(42), grid, 1.0, 4)
vorticity_hat = jnp.fft.rfftn(cfd.finite_differences.curl_2d(v0).data)
for _ in range(3):
    vorticity_hat = step(vorticity_hat)
print(float(jnp.mean(jnp.fft.irfftn(vorticity_hat) ** 2)), float(jnp.abs(vorticity_hat).max()))
