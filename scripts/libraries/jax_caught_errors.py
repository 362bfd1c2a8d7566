"""A program that catches what JAX raises while tracing, and goes another way: shapes, concretization, TypeError."""

import jax
import jax.numpy as jnp


@jax.jit
def combine(a, b):
    return a @ b + 1.0


def head(x, count):
    return jnp.cumsum(x)[:count]


truncate = jax.jit(head)


def robust_combine(a, b):
    try:
        return combine(a, b)
    except TypeError:
        return combine(a, b.T)


def robust_truncate(x, count):
    try:
        return truncate(x, count)
    except (TypeError, IndexError):
        return jax.jit(head, static_argnums=1)(x, count)


a, b = jnp.ones((2, 3)), jnp.arange(6.0).reshape(2, 3)
total = 0.0
for _ in range(2):
    total += float(robust_combine(a, b).sum())
try:
    jax.jit(lambda x: bool(x > 0))(1.0)
except jax.errors.TracerBoolConversionError as error:
    total += len(type(error).__name__)
print(total, float(robust_combine(a, b.T).sum()), robust_truncate(jnp.arange(5.0), 3).shape)
