# /// jace-repro
# schema = 1
# name = "objective"
# origin = "scripts/libraries/jax_custom_vjp.py:59 (objective)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "71e6688f92a255227b3a5e4f882126b4c64ccd60cdc01e43361af3c7aa661519"
# outputs_sha256 = "d8aa2b4b55a24228ab4e8895b96191852158f63ca232ccbdeaccb6278a980cf5"
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


def cond(carry):
    a, b = carry
    c = lax.sub(a, b)  # f32[] weak  jax_custom_vjp.py:29
    d = lax.abs(c)  # f32[] weak  jax_custom_vjp.py:29
    e = lax.gt(d, 1e-06)  # bool[] weak  jax_custom_vjp.py:29
    return e


def body(a, carry):
    b, c = carry
    d = lax.div(a, c)  # f32[] weak  jax_custom_vjp.py:61
    e = lax.add(c, d)  # f32[] weak  jax_custom_vjp.py:61
    f = lax.mul(0.5, e)  # f32[] weak  jax_custom_vjp.py:61
    return c, f


def body_2(a, b, c, carry):
    d, e = carry
    f = lax.mul(0.5, e)  # f32[] weak  jax_custom_vjp.py:61
    g = lax.mul(f, a)  # f32[] weak  jax_custom_vjp.py:61
    h = lax.mul(g, b)  # f32[] weak  jax_custom_vjp.py:61
    i = lax.neg(h)  # f32[] weak  jax_custom_vjp.py:61
    j = primitives.add_jaxvals_p.bind(f, i)  # f32[] weak  jax_custom_vjp.py:61
    k = lax.add(c, j)  # f32[] weak  jax_custom_vjp.py:45
    return e, k


def make_fixed_point(a, b):
    @jax.custom_vjp
    def fixed_point_2(c, d):
        e = lax.mul(0.5, d)  # f32[] weak  jax_custom_vjp.py:61
        f = lax.mul(e, a)  # f32[] weak  jax_custom_vjp.py:61
        g = lax.mul(f, b)  # f32[] weak  jax_custom_vjp.py:61
        h = lax.neg(g)  # f32[] weak  jax_custom_vjp.py:61
        i = primitives.add_jaxvals_p.bind(e, h)  # f32[] weak  jax_custom_vjp.py:61
        j = lax.add(c, i)  # f32[] weak  jax_custom_vjp.py:45
        _, k = lax.while_loop(  # f32[] weak, f32[] weak  jax_custom_vjp.py:31
            cond, functools.partial(body_2, a, b, c), (d, j)
        )
        return k

    fixed_point_2.defvjp(no_rule, no_rule)

    return fixed_point_2


@jax.custom_vjp
def fixed_point(a, b):
    c = lax.div(a, b)  # f32[] weak  jax_custom_vjp.py:61
    d = lax.add(b, c)  # f32[] weak  jax_custom_vjp.py:61
    e = lax.mul(0.5, d)  # f32[] weak  jax_custom_vjp.py:61
    _, f = lax.while_loop(  # f32[] weak, f32[] weak  jax_custom_vjp.py:31
        cond, functools.partial(body, a), (b, e)
    )
    return f


def fixed_point_fwd(a, b):
    c = fixed_point(a, b)  # f32[] weak  jax_custom_vjp.py:37
    return c, (a, c)


def fixed_point_bwd(residuals, cotangents):
    a, b = residuals
    c = cotangents
    d = lax.div(a, b)  # f32[] weak  jax_custom_vjp.py:61
    e = lax.add(b, d)  # f32[] weak  jax_custom_vjp.py:61
    _ = lax.mul(0.5, e)  # f32[] weak  jax_custom_vjp.py:61
    f = lax.div(a, b)  # f32[] weak  jax_custom_vjp.py:61
    g = lax.integer_pow(b, -2)  # f32[] weak  jax_custom_vjp.py:61
    h = lax.add(b, f)  # f32[] weak  jax_custom_vjp.py:61
    _ = lax.mul(0.5, h)  # f32[] weak  jax_custom_vjp.py:61
    i = make_fixed_point(g, a)(c, c)  # f32[] weak  jax_custom_vjp.py:45
    j = lax.mul(0.5, i)  # f32[] weak  jax_custom_vjp.py:61
    k = lax.div(j, b)  # f32[] weak  jax_custom_vjp.py:61
    return (k, weak(0.0, f32))


fixed_point.defvjp(fixed_point_fwd, fixed_point_bwd)


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[] weak
    e = lax.min(c, d)  # f32[] weak
    return e


@jax.custom_vjp
def clip_gradient(a):
    return a


def clip_gradient_fwd(a):
    return a, ()


def clip_gradient_bwd(residuals, cotangents):
    a = cotangents
    b = clip(a, -0.2, 0.2)  # f32[] weak  jax_custom_vjp.py:19
    return (b,)


clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)


@jax.jit
def round(a):
    b = lax.round_p.bind(a, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN)  # f32[] weak
    return b


@jax.custom_vjp
def rounded(a):
    b = round(a)  # f32[] weak  jax_custom_vjp.py:53
    return b


def rounded_fwd(a):
    b = rounded(a)  # f32[] weak  jax_custom_vjp.py:56
    return b, ()


def rounded_bwd(residuals, cotangents):
    a = cotangents
    return (a,)


rounded.defvjp(rounded_fwd, rounded_bwd)


def inputs():
    return [
        2.490533,  # a = a: f32[] weak
    ]


def repro(a):
    b = fixed_point(a, a)  # f32[] weak  jax_custom_vjp.py:61
    c = clip_gradient(b)  # f32[] weak  jax_custom_vjp.py:62
    d = lax.mul(weak(3.0, f32), a)  # f32[] weak  jax_custom_vjp.py:62
    e = rounded(d)  # f32[] weak  jax_custom_vjp.py:62
    f = lax.sin(e)  # f32[] weak  jax_custom_vjp.py:62
    g = lax.add(c, f)  # f32[] weak  jax_custom_vjp.py:62
    return g


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
