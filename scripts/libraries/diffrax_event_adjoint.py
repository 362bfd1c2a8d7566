"""Diffrax: a bouncing ball stopped by an event, a backsolve adjoint, and dense interpolation."""

import diffrax
import jax
import jax.numpy as jnp
import optimistix


def fall(t, y, args):
    return jnp.stack([y[1], -args + 0 * y[0]])


@jax.jit
def impact(y0, gravity):
    event = diffrax.Event(lambda t, y, args, **kwargs: y[0], optimistix.Newton(1e-5, 1e-5))
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(fall), diffrax.Tsit5(), 0.0, jnp.inf, 0.05, y0, args=gravity, event=event
    )
    return solution.ts[0], solution.ys[0]


@jax.jit
def sensitivity(gravity):
    def height(gravity):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(fall),
            diffrax.Tsit5(),
            0.0,
            0.5,
            0.05,
            jnp.array([10.0, 0.0]),
            args=gravity,
            adjoint=diffrax.BacksolveAdjoint(),
        )
        return solution.ys[0, 0]

    return jax.grad(height)(gravity)


@jax.jit
def interpolated(gravity, ts):
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(fall),
        diffrax.Bosh3(),
        0.0,
        1.0,
        0.1,
        jnp.array([10.0, 0.0]),
        args=gravity,
        saveat=diffrax.SaveAt(dense=True),
        stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-3),
        max_steps=64,
    )
    return jax.vmap(solution.evaluate)(ts)


y = jnp.array([5.0, 0.0])
for _ in range(2):
    time, y = impact(y, 9.8)
    y = jnp.array([0.01, -0.8 * y[1]])
print(
    float(time), float(sensitivity(jnp.array(9.8))), float(interpolated(9.8, jnp.linspace(0.1, 0.9, 3)).sum())
)
