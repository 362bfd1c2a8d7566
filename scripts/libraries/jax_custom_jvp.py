"""jax.custom_jvp: stable functions with their own rules, through jit, vmap, grad of grad and scan."""

from functools import partial

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


log1pexp.defjvps(lambda t, out, x: (1 - 1 / (1 + jnp.exp(x))) * t)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def hypotenuse(eps, x, y):
    return jnp.sqrt(x * x + y * y + eps)


@hypotenuse.defjvp
def hypotenuse_jvp(eps, primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    out = hypotenuse(eps, x, y)
    return out, (x * dx + y * dy) / out


@jax.jit
def energy(path):
    def body(total, pair):
        return total + hypotenuse(1e-6, pair[0], pair[1]) + log1pexp(pair[0]), total

    return jax.lax.scan(body, 0.0, path)[0]


path = jnp.linspace(-1.0, 1.0, 8).reshape(4, 2)
gradient = jax.jit(jax.grad(energy))
for _ in range(3):
    path = path - 0.1 * gradient(path)
second = jax.jit(jax.vmap(jax.grad(jax.grad(log1pexp))))(jnp.linspace(-20.0, 20.0, 5))
relu_slope = jax.jit(jax.vmap(jax.grad(jax.nn.relu)))(jnp.array([-1.0, 0.0, 1.0]))
print(float(energy(path)), float(second.sum()), float(relu_slope.sum()))
