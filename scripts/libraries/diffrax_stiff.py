"""Diffrax: Robertson's stiff kinetics by the implicit Kvaerno5, in double precision."""

import diffrax
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def robertson(t, y, k):
    a = -k[0] * y[0] + k[1] * y[1] * y[2]
    c = k[2] * y[1] ** 2
    return jnp.stack([a, -a - c, c])


@jax.jit
def main(k):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(robertson),
        diffrax.Kvaerno5(),
        t0=0.0,
        t1=100.0,
        dt0=2e-4,
        y0=jnp.array([1.0, 0.0, 0.0]),
        args=k,
        saveat=diffrax.SaveAt(ts=jnp.array([0.0, 1.0, 10.0, 100.0])),
        stepsize_controller=diffrax.PIDController(rtol=1e-6, atol=1e-8),
        max_steps=None,
    )


solution = main(jnp.array([0.04, 1e4, 3e7]))
print(float(solution.ys[-1].sum()), float(solution.ys[-1, 0]), int(solution.stats["num_steps"]))
