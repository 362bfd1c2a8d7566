"""linearize, vjp, jvp, hessian, jacfwd, jacrev, linear_transpose, hvp: one function's derivatives every way."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def field(x):
    return jnp.stack([x[0] * x[1], jnp.sin(x[2]) * x[0], x[1] ** 2 + x[2]])


@jax.jit
def energy(x):
    return jnp.sum(field(x) ** 2)


@jax.jit
def hessian_vector(x, v):
    return jax.jvp(jax.grad(energy), (x,), (v,))[1]


x = jnp.asarray(np.random.default_rng(4).normal(size=3), jnp.float32)
v = jnp.array([1.0, 0.5, -0.5])
y, tangent_map = jax.linearize(field, x)
_, pull_back = jax.vjp(field, x)
_, push = jax.jvp(field, (x,), (v,))
transpose = jax.linear_transpose(tangent_map, x)
forward, reverse = jax.jit(jax.jacfwd(field))(x), jax.jacrev(field)(x)
hessian = jax.jit(jax.hessian(energy))(x)
taylor = energy(x) + jax.grad(energy)(x) @ v + 0.5 * v @ hessian_vector(x, v)
checks = [
    tangent_map(v) - push,
    pull_back(v)[0] - transpose(v)[0],
    (forward - reverse).sum(0),
    hessian @ v - hessian_vector(x, v),
]
print(float(taylor), float(jnp.abs(jnp.stack(checks)).max()) < 1e-4, float(y.sum()))
