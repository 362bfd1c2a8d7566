# /// jace-repro
# schema = 1
# name = "objective"
# origin = "scripts/libraries/jax_custom_vjp.py:59 (objective)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d0854ce3f05055f9300f2ae1c1e69e0c0f8a5490b3013a58ec4b5ee1a8c23454"
# outputs_sha256 = "35609787fe542ce090f9cba317ee32cd9a79ba689b16c51c866992806fc8aae6"
# self_check = "exact"
# notes = [
#     "the derivative rule of fixed_point is not in the script: the rule uses values of a trace that is over",
#     "the derivative rule of fixed_point is not in the script: the forward rule cannot be traced: CustomVJPException: Detected differentiation of a custom_vjp function with respect to a closed-over value. That isn't supported because the custom VJP rule only specifies how to differentiate the custom_vjp function with respect to explicit input parameters. Try passing the closed-over value into the custom_vjp function as an argument, and adapting the custom_vjp fwd and bwd rules.",
# ]
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""objective (jax_custom_vjp.py:59): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def no_rule(*args):
    raise NotImplementedError("this script lacks the derivative rule; see the notes in its header")


def body(a, b, c):
    d = lax.div(a, c)  # f32[3]  jax_custom_vjp.py:61
    e = lax.add(c, d)  # f32[3]  jax_custom_vjp.py:61
    f = lax.mul(np.float32(0.5), e)  # f32[3]  jax_custom_vjp.py:61
    return c, f


def cond(a, b):
    c = lax.sub(a, b)  # f32[3]  jax_custom_vjp.py:61
    d = lax.abs(c)  # f32[3]  jax_custom_vjp.py:61
    e = lax.gt(d, np.float32(1e-06))  # bool[3]  jax_custom_vjp.py:61
    return e


def body_2(a, b, c, d, e, f):
    g = lax.mul(a, f)  # f32[3]  jax_custom_vjp.py:61
    h = lax.mul(g, b)  # f32[3]  jax_custom_vjp.py:61
    i = lax.mul(h, c)  # f32[3]  jax_custom_vjp.py:61
    j = lax.neg(i)  # f32[3]  jax_custom_vjp.py:61
    k = primitives.add_jaxvals_p.bind(g, j)  # f32[3]  jax_custom_vjp.py:61
    l = lax.add(d, k)  # f32[3]  jax_custom_vjp.py:45
    return f, l


def cond_2(a, b):
    c = lax.sub(a, b)  # f32[3]  jax_custom_vjp.py:29
    d = lax.abs(c)  # f32[3]  jax_custom_vjp.py:29
    e = lax.gt(d, np.float32(1e-06))  # bool[3]  jax_custom_vjp.py:29
    return e


def make_fixed_point(a, b):
    @jax.custom_vjp
    def fixed_point_2(c, d):
        e = lax.mul(np.float32(0.5), d)  # f32[3]  jax_custom_vjp.py:61
        f = lax.mul(e, a)  # f32[3]  jax_custom_vjp.py:61
        g = lax.mul(f, b)  # f32[3]  jax_custom_vjp.py:61
        h = lax.neg(g)  # f32[3]  jax_custom_vjp.py:61
        i = primitives.add_jaxvals_p.bind(e, h)  # f32[3]  jax_custom_vjp.py:61
        j = lax.add(c, i)  # f32[3]  jax_custom_vjp.py:45
        _, k = lax.while_p.bind(  # f32[3], f32[3]  jax_custom_vjp.py:31
            np.float32(0.5),
            a,
            b,
            c,
            d,
            j,
            body_jaxpr=J(
                body_2, S((), f32), S((3,), f32), S((3,), f32), S((3,), f32), S((3,), f32), S((3,), f32)
            ),
            body_nconsts=4,
            cond_jaxpr=J(cond_2, S((3,), f32), S((3,), f32)),
            cond_nconsts=0,
        )
        return k

    fixed_point_2.defvjp(no_rule, no_rule)

    return fixed_point_2


@jax.custom_vjp
def fixed_point(a, b):
    c = lax.div(a, b)  # f32[3]  jax_custom_vjp.py:61
    d = lax.add(b, c)  # f32[3]  jax_custom_vjp.py:61
    e = lax.mul(np.float32(0.5), d)  # f32[3]  jax_custom_vjp.py:61
    _, f = lax.while_p.bind(  # f32[3], f32[3]  jax_custom_vjp.py:61
        a,
        b,
        e,
        body_jaxpr=J(body, S((3,), f32), S((3,), f32), S((3,), f32)),
        body_nconsts=1,
        cond_jaxpr=J(cond, S((3,), f32), S((3,), f32)),
        cond_nconsts=0,
    )
    return f


def fixed_point_fwd(a, b):
    c = fixed_point(a, b)  # f32[3]  jax_custom_vjp.py:37
    return c, (a, c)


def fixed_point_bwd(residuals, cotangents):
    a, b = residuals
    c = cotangents
    d = lax.div(a, b)  # f32[3]  jax_custom_vjp.py:61
    e = lax.add(b, d)  # f32[3]  jax_custom_vjp.py:61
    _ = lax.mul(np.float32(0.5), e)  # f32[3]  jax_custom_vjp.py:61
    f = lax.div(a, b)  # f32[3]  jax_custom_vjp.py:61
    g = lax.integer_pow(b, -2)  # f32[3]  jax_custom_vjp.py:61
    h = lax.add(b, f)  # f32[3]  jax_custom_vjp.py:61
    _ = lax.mul(np.float32(0.5), h)  # f32[3]  jax_custom_vjp.py:61
    i = make_fixed_point(g, a)(c, c)  # f32[3]  jax_custom_vjp.py:45
    j = lax.mul(np.float32(0.5), i)  # f32[3]  jax_custom_vjp.py:61
    k = lax.div(j, b)  # f32[3]  jax_custom_vjp.py:61
    l = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]
    return (k, l)


fixed_point.defvjp(fixed_point_fwd, fixed_point_bwd)


@jax.jit
def round(a):
    b = lax.round_p.bind(  # f32[3]  jax_custom_vjp.py:62
        a, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN
    )
    return b


@jax.custom_vjp
def rounded(a):
    b = round(a)  # f32[3]  jax_custom_vjp.py:62
    return b


def rounded_fwd(a):
    b = rounded(a)  # f32[3]  jax_custom_vjp.py:56
    return b, ()


def rounded_bwd(residuals, cotangents):
    a = cotangents
    return (a,)


rounded.defvjp(rounded_fwd, rounded_bwd)


@jax.jit
def objective(a):
    b = fixed_point(a, a)  # f32[3]  jax_custom_vjp.py:61
    c = lax.mul(np.float32(3.0), a)  # f32[3]  jax_custom_vjp.py:62
    d = rounded(c)  # f32[3]  jax_custom_vjp.py:62
    e = lax.sin(d)  # f32[3]  jax_custom_vjp.py:62
    f = lax.cos(d)  # f32[3]  jax_custom_vjp.py:62
    g = lax.add(b, e)  # f32[3]  jax_custom_vjp.py:62
    return g, b, f


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]  jax_custom_vjp.py:62
    e = lax.max(d, a)  # f32[]  jax_custom_vjp.py:62
    f = lax.convert_element_type(c, f32)  # f32[]  jax_custom_vjp.py:62
    g = lax.min(f, e)  # f32[]  jax_custom_vjp.py:62
    return g


def body_3(a, b, c, d, e, f):
    g = lax.mul(a, f)  # f32[3]  jax_custom_vjp.py:61
    h = lax.mul(g, b)  # f32[3]  jax_custom_vjp.py:61
    i = lax.mul(h, c)  # f32[3]  jax_custom_vjp.py:61
    j = lax.neg(i)  # f32[3]  jax_custom_vjp.py:61
    k = primitives.add_jaxvals_p.bind(g, j)  # f32[3]  jax_custom_vjp.py:61
    l = lax.add(d, k)  # f32[3]  jax_custom_vjp.py:61
    return f, l


@jax.custom_vjp
def fixed_point_3(a, b, c, d, e):
    f = lax.mul(a, e)  # f32[]  jax_custom_vjp.py:61
    g = lax.mul(f, b)  # f32[3]  jax_custom_vjp.py:61
    h = lax.mul(g, c)  # f32[3]  jax_custom_vjp.py:61
    i = lax.neg(h)  # f32[3]  jax_custom_vjp.py:61
    j = lax.broadcast_in_dim(f, (3,), ())  # f32[3]  jax_custom_vjp.py:61
    k = primitives.add_jaxvals_p.bind(j, i)  # f32[3]  jax_custom_vjp.py:61
    l = lax.add(d, k)  # f32[3]  jax_custom_vjp.py:61
    m = lax.broadcast_in_dim(e, (3,), ())  # f32[3]  jax_custom_vjp.py:61
    _, n = lax.while_p.bind(  # f32[3], f32[3]  jax_custom_vjp.py:61
        a,
        b,
        c,
        d,
        m,
        l,
        body_jaxpr=J(body_3, S((), f32), S((3,), f32), S((3,), f32), S((), f32), S((3,), f32), S((3,), f32)),
        body_nconsts=4,
        cond_jaxpr=J(cond, S((3,), f32), S((3,), f32)),
        cond_nconsts=0,
    )
    return n


fixed_point_3.defvjp(no_rule, no_rule)


@jax.jit
def objective_2(a, b, c, d):
    e = lax.mul(d, c)  # f32[3]  jax_custom_vjp.py:62
    f = lax.mul(np.float32(3.0), e)  # f32[3]  jax_custom_vjp.py:62
    g = clip(d, -0.2, 0.2)  # f32[]  jax_custom_vjp.py:62
    h = lax.div(a, b)  # f32[3]  jax_custom_vjp.py:61
    i = lax.add(b, h)  # f32[3]  jax_custom_vjp.py:61
    _ = lax.mul(np.float32(0.5), i)  # f32[3]  jax_custom_vjp.py:61
    j = lax.div(a, b)  # f32[3]  jax_custom_vjp.py:61
    k = lax.integer_pow(b, -2)  # f32[3]  jax_custom_vjp.py:61
    l = lax.add(b, j)  # f32[3]  jax_custom_vjp.py:61
    _ = lax.mul(np.float32(0.5), l)  # f32[3]  jax_custom_vjp.py:61
    m = fixed_point_3(np.float32(0.5), k, a, g, g)  # f32[3]  jax_custom_vjp.py:61
    n = lax.mul(np.float32(0.5), m)  # f32[3]  jax_custom_vjp.py:61
    o = lax.div(n, b)  # f32[3]  jax_custom_vjp.py:61
    p = primitives.add_jaxvals_p.bind(f, o)  # f32[3]  jax_custom_vjp.py:61
    q = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]  jax_custom_vjp.py:61
    r = primitives.add_jaxvals_p.bind(p, q)  # f32[3]  jax_custom_vjp.py:61
    return r


def inputs():
    return [
        np.array([1.0, 2.0, 3.0], np.float32),  # a = a: f32[3]
    ]


def repro(a):
    _, b, c = objective(a)  # f32[3], f32[3], f32[3]
    d = objective_2(a, b, c, np.float32(1.0))  # f32[3]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
