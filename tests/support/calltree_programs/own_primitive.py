"""Programs: a primitive of somebody's own."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from calltree_programs.base import X, program


def _both(x, y):
    """What the primitive computes; its rules say other things, so that it shows who answered."""
    return [x * 2.0, jnp.cos(y)]


def _both_jvp(primals, tangents):
    x, y = primals
    dx, dy = tangents
    dx = jnp.zeros_like(x) if type(dx) is ad.Zero else dx
    out = both_p.bind(x, y)
    tangent = linear_p.bind(dx, y) * 3.0
    return out, [tangent, ad.Zero(jax.typeof(out[1])) if type(dy) is ad.Zero else dy * 5.0]


def _both_batch(axis, args, dims):
    full = [
        a if d == 0 else jnp.broadcast_to(a, (axis.size, *a.shape)) for a, d in zip(args, dims, strict=True)
    ]
    return [v + 1.0 for v in both_p.bind(*full)], [0, 0]


def _linear_transpose(cotangent, x, y):
    assert ad.is_undefined_primal(x)
    return [cotangent * 7.0 + y, None]


both_p, linear_p = Primitive("both"), Primitive("linear")
both_p.multiple_results = True
both_p.def_impl(_both)
both_p.def_abstract_eval(lambda x, y: [x, y])
linear_p.def_impl(lambda x, y: x + 0.0 * y)
linear_p.def_abstract_eval(lambda x, y: x)
mlir.register_lowering(both_p, mlir.lower_fun(_both, multiple_results=True))
mlir.register_lowering(linear_p, mlir.lower_fun(linear_p.impl, multiple_results=False))
ad.primitive_jvps[both_p] = _both_jvp
ad.primitive_transposes[linear_p] = _linear_transpose
batching.fancy_primitive_batchers[both_p] = _both_batch


@program(X)
def primitives_with_rules(x):
    def f(a, b):
        return both_p.bind(a, b)[0].sum()

    def g(a):
        return lax.scan(lambda c, _: (both_p.bind(c, x)[0], None), a, length=2)[0].sum()

    return f(x, x), jax.grad(f, (0, 1))(x, x), jax.grad(f)(x, x), jax.grad(g)(x)


@program(X)
def mapped_primitives_with_rules(x):
    m = jnp.outer(x, x)
    return jax.vmap(both_p.bind, in_axes=(0, None))(m, x), jax.vmap(lambda v: both_p.bind(x, v)[1])(m)
