"""JAXopt: logistic regression by L-BFGS, nonlinear CG and gradient descent, run and updated by hand."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np

random = np.random.default_rng(0)
x = jnp.asarray(random.normal(size=(20, 4)), jnp.float32)
labels = jnp.asarray(random.integers(0, 2, 20))


def objective(w, regularisation):
    losses = jax.vmap(jaxopt.loss.binary_logistic_loss)(labels, x @ w)
    return jnp.mean(losses) + regularisation * jnp.sum(w**2)


start = jnp.zeros(4)
total = 0.0
for solver in (
    jaxopt.LBFGS(objective, maxiter=4),
    jaxopt.NonlinearCG(objective, maxiter=4),
    jaxopt.GradientDescent(objective, maxiter=5, stepsize=0.5),
):
    total += float(solver.run(start, regularisation=0.1).params.sum())

solver = jaxopt.BFGS(objective, maxiter=5)
state = solver.init_state(start, regularisation=0.1)
update = jax.jit(solver.update)
w = start
for _ in range(3):
    w, state = update(w, state, regularisation=0.1)
print(total, float(objective(w, 0.1)))
