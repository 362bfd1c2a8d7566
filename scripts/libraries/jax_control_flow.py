"""jax.lax control flow: switch, cond, while_loop, fori_loop, map, select; under vmap and grad."""

import jax
import jax.numpy as jnp
from jax import lax

OPERATIONS = (jnp.sin, lambda x: x**2, lambda x: -x, lambda x: jnp.where(x > 0, x, 0.1 * x))


@jax.jit
def interpret(program, x):
    return lax.scan(lambda x, code: (lax.switch(code, OPERATIONS, x), x.sum()), x, program)


@jax.jit
def collatz(n):
    def body(carry):
        n, steps = carry
        return lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n), steps + 1

    return lax.while_loop(lambda carry: carry[0] != 1, body, (n, 0))[1]


@jax.jit
def newton_sqrt(a):
    return lax.fori_loop(0, 6, lambda i, x: 0.5 * (x + a / x), a)


@jax.jit
def piecewise(x):
    def branch(x):
        return lax.cond(x > 0, lambda: jnp.log1p(x), lambda: x * 2.0)

    return lax.map(jax.grad(branch), x, batch_size=2)


x, sums = interpret(jnp.array([0, 1, 3, 2, 1]), jnp.linspace(-1.0, 1.0, 4))
steps = jax.jit(jax.vmap(collatz))(jnp.arange(1, 8))
roots = jax.vmap(newton_sqrt)(jnp.arange(1.0, 5.0))
print(
    float(x.sum() + sums.sum()),
    int(steps.sum()),
    int(collatz(27)),
    float(roots.sum()),
    float(piecewise(x - 0.3).sum()),
)
