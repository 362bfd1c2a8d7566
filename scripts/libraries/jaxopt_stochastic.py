"""JAXopt: stochastic solvers (OptaxSolver, PolyakSGD) on minibatches, and Gauss-Newton curve fitting."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np
import optax


def predict(params, x):
    return jnp.tanh(x @ params["w1"]) @ params["w2"]


def loss(params, data):
    x, labels = data
    return jnp.mean(jax.vmap(jaxopt.loss.multiclass_logistic_loss)(labels, predict(params, x)))


def batches():
    random = np.random.default_rng(3)
    while True:
        yield random.normal(size=(6, 4)).astype(np.float32), random.integers(0, 3, 6)


random = np.random.default_rng(4)
params = {
    "w1": jnp.asarray(random.normal(size=(4, 5)), jnp.float32),
    "w2": jnp.asarray(random.normal(size=(5, 3)), jnp.float32),
}
adam = jaxopt.OptaxSolver(loss, optax.adam(1e-2), maxiter=3).run_iterator(params, iterator=batches())
polyak = jaxopt.PolyakSGD(loss, max_stepsize=0.1, maxiter=2).run_iterator(params, iterator=batches())


def residuals(p, t, data):
    return p[0] * jnp.exp(-p[1] * t) - data


ts = jnp.linspace(0.0, 2.0, 10)
fit = jaxopt.LevenbergMarquardt(residuals, maxiter=6).run(jnp.array([1.0, 1.0]), ts, 2 * jnp.exp(-0.5 * ts))
print(float(adam.state.value), float(polyak.state.value), float(fit.params.sum()))
