"""Lineax: direct solvers (LU, QR, SVD, Cholesky, triangular, tridiagonal, diagonal) under jit and vmap."""

import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np

random = np.random.default_rng(0)
matrix = jnp.asarray(random.normal(size=(4, 4)) + 4 * np.eye(4), jnp.float32)
vector = jnp.asarray(random.normal(size=4), jnp.float32)
tall = jnp.asarray(random.normal(size=(6, 3)), jnp.float32)


@jax.jit
def solve_all(matrix, vector):
    general = lx.MatrixLinearOperator(matrix)
    definite = lx.MatrixLinearOperator(matrix @ matrix.T, lx.positive_semidefinite_tag)
    lower = lx.MatrixLinearOperator(jnp.tril(matrix), lx.lower_triangular_tag)
    bands = lx.TridiagonalLinearOperator(jnp.diag(matrix), jnp.diag(matrix, -1), jnp.diag(matrix, 1))
    return [
        lx.linear_solve(general, vector, lx.LU()).value,
        lx.linear_solve(general, vector, lx.AutoLinearSolver(well_posed=None)).value,
        lx.linear_solve(definite, vector, lx.Cholesky()).value,
        lx.linear_solve(lower, vector, lx.Triangular()).value,
        lx.linear_solve(bands, vector, lx.Tridiagonal()).value,
        lx.linear_solve(lx.DiagonalLinearOperator(jnp.diag(matrix)), vector).value,
    ]


@jax.jit
def least_squares(tall, right_sides):
    def solve(b):
        operator = lx.MatrixLinearOperator(tall)
        return lx.linear_solve(operator, b, lx.QR()).value, lx.linear_solve(operator, b, lx.SVD()).value

    return jax.vmap(solve)(right_sides)


right_sides = jnp.asarray(random.normal(size=(3, 6)), jnp.float32)
qr, svd = least_squares(tall, right_sides)
print(float(sum(x.sum() for x in solve_all(matrix, vector))), float(jnp.abs(qr - svd).max()) < 1e-3)
