"""Optimistix: minimisation by BFGS, nonlinear CG, Nelder-Mead and an Optax optimizer; a fixed point."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
import optimistix as optx


def bowl(y, args):
    return jnp.sum((y - args) ** 2 + 0.1 * y**4)


@eqx.filter_jit
def minimise(solver, start, args):
    return optx.minimise(bowl, solver, start, args=args, max_steps=200, throw=False)


@jax.jit
def fixed_point(start):
    solver = optx.FixedPointIteration(rtol=1e-5, atol=1e-5)
    return optx.fixed_point(lambda y, args: 0.5 * jnp.cos(y), solver, start).value


start, target = jnp.zeros(3), jnp.arange(3.0)
solvers = (
    optx.BFGS(rtol=1e-5, atol=1e-5),
    optx.NonlinearCG(rtol=1e-4, atol=1e-4),
    optx.NelderMead(rtol=1e-3, atol=1e-3),
    optx.OptaxMinimiser(optax.adam(0.1), rtol=1e-3, atol=1e-3),
)
solutions = [minimise(solver, start, target) for solver in solvers]
steps = sum(int(s.stats["num_steps"]) for s in solutions)
print(sum(float(s.value.sum()) for s in solutions), steps > 0, float(fixed_point(start).sum()))
