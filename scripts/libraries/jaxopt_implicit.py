"""JAXopt: hyperparameter gradients through ridge regression and a fixed point, by implicit differentiation."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np
from jaxopt import implicit_diff, linear_solve

random = np.random.default_rng(1)
x = jnp.asarray(random.normal(size=(12, 3)), jnp.float32)
y = jnp.asarray(random.normal(size=12), jnp.float32)


def ridge_objective(params, l2):
    return 0.5 * jnp.mean((x @ params - y) ** 2) + 0.5 * l2 * jnp.sum(params**2)


@implicit_diff.custom_root(jax.grad(ridge_objective))
def ridge(init, l2):
    del init
    return linear_solve.solve_cholesky(lambda u: x.T @ (x @ u) / 12 + l2 * u, x.T @ y / 12)


@jax.jit
def outer_gradient(l2):
    return jax.grad(lambda l2: jnp.sum(ridge(None, l2) ** 2))(l2)


def contraction(u, a):
    return 0.5 * jnp.cos(u) * a


fixed_point = jaxopt.FixedPointIteration(contraction, maxiter=20, tol=1e-5)
sensitivity = jax.jit(jax.grad(lambda a: fixed_point.run(jnp.array(0.2), a).params))
l2 = 0.1
for _ in range(2):
    l2 = l2 - 0.1 * float(outer_gradient(l2))
print(l2, float(sensitivity(0.8)))
