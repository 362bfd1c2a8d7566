"""JAXopt: projected and proximal gradient, a quadratic program by OSQP, and projections."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np
from jaxopt import projection, prox

random = np.random.default_rng(2)
x = jnp.asarray(random.normal(size=(15, 4)), jnp.float32)
y = jnp.asarray(random.normal(size=15), jnp.float32)


def least_squares(w, data):
    return jnp.mean((data[0] @ w - data[1]) ** 2)


projected = jaxopt.ProjectedGradient(least_squares, projection.projection_simplex, maxiter=8)
lasso = jaxopt.ProximalGradient(least_squares, prox.prox_lasso, maxiter=8)
on_simplex = projected.run(jnp.full(4, 0.25), data=(x, y)).params
sparse = lasso.run(jnp.zeros(4), hyperparams_prox=0.1, data=(x, y)).params

quadratic = x.T @ x
program = jaxopt.BoxOSQP(maxiter=40)
solution = program.run(
    params_obj=(quadratic, -x.T @ y),
    params_eq=jnp.eye(4),
    params_ineq=(-0.1 * jnp.ones(4), 0.1 * jnp.ones(4)),
)
ball = jax.jit(projection.projection_l2_ball)(y, 1.0)
print(float(on_simplex.sum()), float(sparse.sum()), float(solution.params.primal[0].sum()), float(ball.sum()))
