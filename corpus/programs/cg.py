"""Poisson's equation on a square by jax.scipy's conjugate gradients, and the gradient through the solution.

python cg.py [SIZE]        SIZE: number of grid points, default 2^14
"""

import math
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def laplacian(u):
    """Five-point negative Laplacian with zero boundary, plus a small reaction term."""
    padded = jnp.pad(u, 1)
    neighbours = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]
    return 4.05 * u - neighbours


@jax.jit
def solve(right):
    """f64 (N, N) -> the solution f64 (N, N)."""
    solution, _ = jax.scipy.sparse.linalg.cg(laplacian, right, tol=1e-10, maxiter=200)
    return solution


@jax.jit
def energy_gradient(right):
    """Gradient of the energy by the right-hand side: one more solve, with the transposed operator."""
    return jax.grad(lambda r: 0.5 * jnp.vdot(solve(r), r))(right)


def main(size=2**14):
    edge = max(4, math.isqrt(size))
    right = np.random.default_rng(1952).standard_normal((edge, edge))
    solution = solve(right)
    gradient = energy_gradient(right)
    print(
        f"cg: {edge} x {edge}, residual {float(np.abs(laplacian(solution) - right).max()):.1e}, "
        f"|gradient - solution| {float(np.abs(gradient - solution).max()):.1e}"
    )


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
