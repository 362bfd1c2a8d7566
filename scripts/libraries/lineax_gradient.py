"""Lineax: gradients and Jacobians through linear solves, and reuse of a factorisation."""

import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np

random = np.random.default_rng(2)
matrix = jnp.asarray(random.normal(size=(3, 3)) + 4 * np.eye(3), jnp.float32)
vectors = jnp.asarray(random.normal(size=(4, 3)), jnp.float32)


def misfit(matrix, vector):
    return jnp.sum(lx.linear_solve(lx.MatrixLinearOperator(matrix), vector).value ** 2)


@jax.jit
def many(matrix, vectors):
    solver = lx.LU()
    operator = lx.MatrixLinearOperator(matrix)
    state = solver.init(operator, options={})
    return jax.lax.map(lambda b: lx.linear_solve(operator, b, solver, state=state).value, vectors)


gradient = jax.jit(jax.grad(misfit, argnums=(0, 1)))
jacobian = jax.jit(jax.jacfwd(lambda m: lx.linear_solve(lx.MatrixLinearOperator(m), vectors[0]).value))
for _ in range(2):
    matrix = matrix - 0.1 * gradient(matrix, vectors[0])[0]
print(float(misfit(matrix, vectors[0])), float(many(matrix, vectors).sum()), float(jacobian(matrix).sum()))
