"""Optimistix: roots by Newton, chord, bisection; the gradient through the implicit function theorem."""

import jax
import jax.numpy as jnp
import optimistix as optx


def equations(y, args):
    return {"a": jnp.tanh(y["a"]) + y["b"] - args, "b": y["b"] ** 3 + y["a"] - 1.0}


@jax.jit
def solve(args):
    start = {"a": jnp.array(0.5), "b": jnp.array(0.5)}
    newton = optx.root_find(equations, optx.Newton(rtol=1e-6, atol=1e-6), start, args=args)
    chord = optx.root_find(
        lambda y, a: jnp.exp(y) - 1 - a, optx.Chord(rtol=1e-4, atol=1e-4), jnp.array(0.5), args=args
    )
    return newton.value, chord.value


@jax.jit
def bisect(target):
    solver = optx.Bisection(rtol=1e-4, atol=1e-4)
    options = {"lower": 0.0, "upper": 3.0}
    return optx.root_find(lambda y, a: y**2 - a, solver, jnp.array(1.0), args=target, options=options).value


sensitivity = jax.jit(jax.grad(lambda args: solve(args)[0]["a"]))
value, chord = solve(0.7)
print(float(value["a"]), float(chord), float(sensitivity(0.7)), float(bisect(2.0)))
