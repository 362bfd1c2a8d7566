"""jax.lax.custom_root and custom_linear_solve: differentiable equilibrium of a small network."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def newton(f, x):
    def body(_, x):
        return x - jnp.linalg.solve(jax.jacfwd(f)(x), f(x))

    return lax.fori_loop(0, 5, body, x)


def tangent_solve(g, y):
    return jnp.linalg.solve(jax.jacfwd(g)(jnp.zeros_like(y)), y)


def equilibrium(weights, x):
    return lax.custom_root(lambda z: z - jnp.tanh(weights @ z + x), jnp.zeros_like(x), newton, tangent_solve)


def conjugate_gradient(matvec, b):
    def body(_, carry):
        x, r, p = carry
        matrix_p = matvec(p)
        alpha = r @ r / (p @ matrix_p)
        new_r = r - alpha * matrix_p
        return x + alpha * p, new_r, new_r + (new_r @ new_r) / (r @ r) * p

    return lax.fori_loop(0, b.size, body, (jnp.zeros_like(b), b, b))[0]


@jax.jit
def solve(matrix, b):
    return lax.custom_linear_solve(lambda v: matrix @ v, b, conjugate_gradient, symmetric=True)


step = jax.jit(jax.value_and_grad(lambda weights, x: jnp.sum((equilibrium(weights, x) - 0.1) ** 2)))
random = np.random.default_rng(1)
weights = jnp.asarray(0.3 * random.normal(size=(4, 4)), jnp.float32)
x = jnp.asarray(random.normal(size=4), jnp.float32)
for _ in range(3):
    loss, gradient = step(weights, x)
    weights = weights - 0.1 * gradient
matrix = weights @ weights.T + jnp.eye(4)
sensitivity = jax.jit(jax.grad(lambda b: solve(matrix, b).sum()))(x)
print(float(loss), float(solve(matrix, x).sum()), float(sensitivity.sum()))
