# /// jace-repro
# schema = 1
# name = "energy"
# origin = "scripts/libraries/jax_custom_jvp.py:29 (energy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "14e99ff6fd2cf573b615b83a7c76d387984ec6fb7a7ee62cbfe458ed9777c49d"
# outputs_sha256 = "5ddb7237781faf156c44e405f5bb451c8b11acd6bbf1a0a8b49e810554a9ec9f"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""energy (jax_custom_jvp.py:29): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def body(a, b):
    c = lax.slice(b, (0,), (1,))  # f32[1]  jax_custom_jvp.py:32
    d = lax.squeeze(c, (0,))  # f32[]  jax_custom_jvp.py:32
    e = lax.slice(b, (1,), (2,))  # f32[1]  jax_custom_jvp.py:32
    f = lax.squeeze(e, (0,))  # f32[]  jax_custom_jvp.py:32
    g = lax.mul(d, d)  # f32[]  jax_custom_jvp.py:32
    h = lax.mul(f, f)  # f32[]  jax_custom_jvp.py:32
    i = lax.add(g, h)  # f32[]  jax_custom_jvp.py:32
    j = lax.add(i, np.float32(1e-06))  # f32[]  jax_custom_jvp.py:32
    k = lax.sqrt(j)  # f32[]  jax_custom_jvp.py:32
    l = lax.convert_element_type(a, f32)  # f32[]  jax_custom_jvp.py:32
    m = lax.add(l, k)  # f32[]  jax_custom_jvp.py:32
    n = lax.slice(b, (0,), (1,))  # f32[1]  jax_custom_jvp.py:32
    o = lax.squeeze(n, (0,))  # f32[]  jax_custom_jvp.py:32
    p = lax.exp(o)  # f32[]  jax_custom_jvp.py:32
    q = lax.add(np.float32(1.0), p)  # f32[]  jax_custom_jvp.py:32
    r = lax.log(q)  # f32[]  jax_custom_jvp.py:32
    s = lax.exp(o)  # f32[]  jax_custom_jvp.py:32
    t = lax.add(np.float32(1.0), s)  # f32[]  jax_custom_jvp.py:32
    u = lax.div(np.float32(1.0), t)  # f32[]  jax_custom_jvp.py:32
    v = lax.sub(np.float32(1.0), u)  # f32[]  jax_custom_jvp.py:32
    w = lax.add(m, r)  # f32[]  jax_custom_jvp.py:32
    return w, (d, f, k, v)


@jax.jit
def energy(a):
    b, (c, d, e, f) = lax.scan(body, 0.0, a)  # f32[], f32[4], f32[4], f32[4], f32[4]  jax_custom_jvp.py:34
    return b, c, d, e, f


def body_2(a, b, c, d, e):
    f = lax.mul(e, a)  # f32[]  jax_custom_jvp.py:32
    g = lax.broadcast_in_dim(f, (1,), ())  # f32[1]  jax_custom_jvp.py:32
    h = lax.pad(g, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jax_custom_jvp.py:32
    i = lax.div(a, d)  # f32[]  jax_custom_jvp.py:32
    j = lax.mul(c, i)  # f32[]  jax_custom_jvp.py:32
    k = lax.mul(b, i)  # f32[]  jax_custom_jvp.py:32
    l = lax.broadcast_in_dim(j, (1,), ())  # f32[1]  jax_custom_jvp.py:32
    m = lax.pad(l, np.float32(0.0), ((1, 0, 0),))  # f32[2]  jax_custom_jvp.py:32
    n = primitives.add_jaxvals_p.bind(h, m)  # f32[2]  jax_custom_jvp.py:32
    o = lax.broadcast_in_dim(k, (1,), ())  # f32[1]  jax_custom_jvp.py:32
    p = lax.pad(o, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jax_custom_jvp.py:32
    q = primitives.add_jaxvals_p.bind(n, p)  # f32[2]  jax_custom_jvp.py:32
    return a, q


@jax.jit
def energy_2(a, b, c, d, e):
    _, f = lax.scan_p.bind(  # f32[], f32[4,2]  jax_custom_jvp.py:34
        e,
        a,
        b,
        c,
        d,
        jaxpr=J(body_2, S((), f32), S((), f32), S((), f32), S((), f32), S((), f32)),
        length=4,
        num_carry=1,
        num_consts=0,
        reverse=True,
        unroll=1,
    )
    return f


def inputs():
    return [
        # a = path: f32[4,2]
        np.array(
            [[-1.0, -0.71428573], [-0.42857143, -0.14285709], [0.1428572, 0.42857146], [0.71428585, 1.0]],
            np.float32,
        ),
    ]


def repro(a):
    _, b, c, d, e = energy(a)  # f32[], f32[4], f32[4], f32[4], f32[4]
    f = energy_2(b, c, d, e, np.float32(1.0))  # f32[4,2]
    return f


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
