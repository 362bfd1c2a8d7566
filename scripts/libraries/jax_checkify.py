"""checkify: user checks, NaN, division and index checks, discharged under jit, in loops and under vmap."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def sample(table, index, x):
    checkify.check(x > 0, "x must be positive, it is {x}", x=x)
    return table[index] / jnp.log(x)


@jax.jit
@checkify.checkify
def user_checked(x):
    def body(i, x):
        checkify.check(x < 100.0, "x has grown to {x} in step {i}", x=x, i=i)
        return x * 1.5

    return jax.lax.fori_loop(0, 4, body, x)


everything = checkify.all_checks
checked = jax.jit(checkify.checkify(sample, errors=everything))
batched = jax.jit(checkify.checkify(jax.vmap(sample, in_axes=(None, 0, 0)), errors=everything))
table = jnp.arange(1.0, 6.0)
error, value = checked(table, 2, 3.0)
error.throw()
grown_error, grown = user_checked(2.0)
grown_error.throw()
bad, _ = checked(table, 7, 3.0)
worse, _ = batched(table, jnp.arange(3), jnp.array([2.0, 1.0, 3.0]))
print(float(value), float(grown), "out-of-bounds" in str(bad.get()), "division" in str(worse.get()))
