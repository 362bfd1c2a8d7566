"""jax.scipy.optimize and sparse.linalg, odeint, BCOO: an implicit heat equation and a fitted pendulum."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import sparse
from jax.experimental.ode import odeint
from jax.scipy.optimize import minimize
from jax.scipy.sparse.linalg import bicgstab, cg, gmres

SIZE = 8
dense = 3.0 * np.eye(SIZE) - np.eye(SIZE, k=1) - np.eye(SIZE, k=-1)
matrix = sparse.BCOO.fromdense(jnp.asarray(dense, jnp.float32))


@jax.jit
def heat(u):
    return cg(lambda v: matrix @ v, u, tol=1e-6)[0]


@jax.jit
def other_solvers(u):
    return gmres(dense.astype(np.float32), u, tol=1e-5)[0], bicgstab(lambda v: matrix @ v, u, tol=1e-4)[0]


def pendulum(y, t, k):
    return jnp.array([y[1], -k * jnp.sin(y[0])])


@jax.jit
def trajectory(k):
    return odeint(pendulum, jnp.array([1.0, 0.0]), jnp.linspace(0.0, 2.0, 5), k, rtol=1e-4, atol=1e-4)[:, 0]


target = trajectory(2.0)
fit = minimize(
    lambda k: jnp.sum((trajectory(k[0]) - target) ** 2),
    jnp.array([1.8]),
    method="BFGS",
    options={"maxiter": 3},
)
u = jnp.sin(jnp.arange(SIZE))
for _ in range(3):
    u = heat(u)
first, second = other_solvers(u)
print(float(fit.x[0]), float(u.sum()), float(first.sum() - second.sum()) < 1e-3)
