"""Lineax: CG, GMRES and BiCGStab on matrix-free operators, with a preconditioner."""

import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np


def laplacian(u):
    padded = jnp.pad(u, 1)
    return 4.5 * u - padded[:-2] - padded[2:] - 0.5 * u


@jax.jit
def poisson(source):
    structure = jax.eval_shape(lambda: source)
    operator = lx.FunctionLinearOperator(laplacian, structure, lx.positive_semidefinite_tag)
    preconditioner = lx.TaggedLinearOperator(
        lx.DiagonalLinearOperator(jnp.full(source.shape, 0.25)), lx.positive_semidefinite_tag
    )
    solution = lx.linear_solve(
        operator, source, lx.CG(rtol=1e-5, atol=1e-5), options={"preconditioner": preconditioner}
    )
    return solution.value, solution.stats["num_steps"]


@jax.jit
def newton_direction(x, b):
    operator = lx.JacobianLinearOperator(lambda y, args: y + 0.1 * jnp.sin(y[::-1]), x)
    gmres = lx.linear_solve(operator, b, lx.GMRES(rtol=1e-5, atol=1e-5)).value
    bicgstab = lx.linear_solve(operator, b, lx.BiCGStab(rtol=1e-4, atol=1e-4)).value
    return gmres, bicgstab


random = np.random.default_rng(1)
source = jnp.asarray(random.normal(size=10), jnp.float32)
value, steps = poisson(source)
gmres, bicgstab = newton_direction(source[:5], source[5:])
print(float(value.sum()), int(steps), float(gmres.sum()), float(bicgstab.sum()))
