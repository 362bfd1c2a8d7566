"""Diffrax: adaptive Tsit5 on Lotka-Volterra, fitted by the gradient through the checkpointed adjoint."""

import diffrax
import jax
import jax.numpy as jnp


def lotka_volterra(t, y, args):
    prey, predator = y
    a, b, c, d = args
    return jnp.array([a * prey - b * prey * predator, -c * predator + d * prey * predator])


@jax.jit
def solve(args, ts):
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lotka_volterra),
        diffrax.Tsit5(),
        t0=0.0,
        t1=10.0,
        dt0=0.1,
        y0=jnp.array([10.0, 10.0]),
        args=args,
        saveat=diffrax.SaveAt(ts=ts),
        stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-4),
        max_steps=256,
    )
    return solution.ys


ts = jnp.linspace(0.0, 10.0, 6)
target = solve(jnp.array([0.1, 0.02, 0.4, 0.02]), ts)
args = jnp.array([0.12, 0.02, 0.4, 0.02])
gradient = jax.jit(jax.value_and_grad(lambda args: jnp.mean((solve(args, ts) - target) ** 2)))
for _ in range(2):
    loss, slope = gradient(args)
    args = args - 1e-7 * slope
print(float(loss), float(args.sum()))
