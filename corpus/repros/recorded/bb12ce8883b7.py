# /// jace-repro
# schema = 1
# name = "objective"
# origin = "scripts/libraries/jax_custom_vjp.py:59 (objective)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "bb12ce8883b76e59924f688ff9ea3c982561d396b2485b672ad6e806a82aa9ce"
# outputs_sha256 = "ac8fb46dd912e85936aa055993cc32cdfcf4fe1f91f24eed5d122a365c6e730a"
# self_check = "exact"
# notes = [
#     "the derivative rule of fixed_point is not in the script: the rule uses values of a trace that is over",
# ]
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""objective (jax_custom_vjp.py:59): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def no_rule(*args):
    raise NotImplementedError("this script lacks the derivative rule; see the notes in its header")


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[] weak  jax_custom_vjp.py:62
    e = lax.min(c, d)  # f32[] weak  jax_custom_vjp.py:62
    return e


def cond(carry):
    a, b = carry
    c = lax.sub(a, b)  # f32[] weak  jax_custom_vjp.py:61
    d = lax.abs(c)  # f32[] weak  jax_custom_vjp.py:61
    e = lax.gt(d, 1e-06)  # bool[] weak  jax_custom_vjp.py:61
    return e


def body(a, b, c, carry):
    d, e = carry
    f = lax.mul(0.5, e)  # f32[] weak  jax_custom_vjp.py:61
    g = lax.mul(f, a)  # f32[] weak  jax_custom_vjp.py:61
    h = lax.mul(g, b)  # f32[] weak  jax_custom_vjp.py:61
    i = lax.neg(h)  # f32[] weak  jax_custom_vjp.py:61
    j = primitives.add_jaxvals_p.bind(f, i)  # f32[] weak  jax_custom_vjp.py:61
    k = lax.add(c, j)  # f32[] weak  jax_custom_vjp.py:61
    return e, k


def make_fixed_point(a, b):
    @jax.custom_vjp
    def fixed_point(c, d):
        e = lax.mul(0.5, d)  # f32[] weak  jax_custom_vjp.py:61
        f = lax.mul(e, a)  # f32[] weak  jax_custom_vjp.py:61
        g = lax.mul(f, b)  # f32[] weak  jax_custom_vjp.py:61
        h = lax.neg(g)  # f32[] weak  jax_custom_vjp.py:61
        i = primitives.add_jaxvals_p.bind(e, h)  # f32[] weak  jax_custom_vjp.py:61
        j = lax.add(c, i)  # f32[] weak  jax_custom_vjp.py:61
        _, k = lax.while_loop(  # f32[] weak, f32[] weak  jax_custom_vjp.py:61
            cond, functools.partial(body, a, b, c), (d, j)
        )
        return k

    fixed_point.defvjp(no_rule, no_rule)

    return fixed_point


def inputs():
    return [
        2.0,  # a: f32[] weak
        1.4142135,  # b: f32[] weak
        0.96017027,  # c: f32[] weak
        1.0,  # d: f32[] weak
    ]


def repro(a, b, c, d):
    e = lax.mul(d, c)  # f32[] weak  jax_custom_vjp.py:62
    f = lax.mul(weak(3.0, f32), e)  # f32[] weak  jax_custom_vjp.py:62
    g = clip(d, -0.2, 0.2)  # f32[] weak  jax_custom_vjp.py:62
    h = lax.div(a, b)  # f32[] weak  jax_custom_vjp.py:61
    i = lax.add(b, h)  # f32[] weak  jax_custom_vjp.py:61
    _ = lax.mul(0.5, i)  # f32[] weak  jax_custom_vjp.py:61
    j = lax.div(a, b)  # f32[] weak  jax_custom_vjp.py:61
    k = lax.integer_pow(b, -2)  # f32[] weak  jax_custom_vjp.py:61
    l = lax.add(b, j)  # f32[] weak  jax_custom_vjp.py:61
    _ = lax.mul(0.5, l)  # f32[] weak  jax_custom_vjp.py:61
    m = make_fixed_point(k, a)(g, g)  # f32[] weak  jax_custom_vjp.py:61
    n = lax.mul(0.5, m)  # f32[] weak  jax_custom_vjp.py:61
    o = lax.div(n, b)  # f32[] weak  jax_custom_vjp.py:61
    p = primitives.add_jaxvals_p.bind(f, o)  # f32[] weak  jax_custom_vjp.py:61
    q = primitives.add_jaxvals_p.bind(p, weak(0.0, f32))  # f32[] weak  jax_custom_vjp.py:61
    return q


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
