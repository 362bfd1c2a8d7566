# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/jax_checkpoint.py:28 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "b91404043bb5d0a69ac74b5724ee06946770b4b85b2a8fa9926b95fc5b30bf73"
# outputs_sha256 = "1aa708acdc10c39940ed07f54436f4da13d5017a7bcd25d811ddffd3b2c9e96f"
# sidecar_sha256 = "8da8bf2a3d4ce1d363383db8cdd14daf7b8a39d94101a9bf01e91809f30a5bc9"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (jax_checkpoint.py:28): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


SIDECAR_SHA256 = "8da8bf2a3d4ce1d363383db8cdd14daf7b8a39d94101a9bf01e91809f30a5bc9"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def body(a, b):
    c = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:20
        a, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    d = lax.reduce_precision_p.bind(c, exponent_bits=8, mantissa_bits=23)  # f32[5,4]  jax_checkpoint.py:20
    e = lax.integer_pow(d, 3)  # f32[5,4]  jax_checkpoint.py:20
    f = lax.mul(np.float32(0.044715), e)  # f32[5,4]  jax_checkpoint.py:20
    g = lax.add(d, f)  # f32[5,4]  jax_checkpoint.py:20
    h = lax.mul(np.float32(0.7978846), g)  # f32[5,4]  jax_checkpoint.py:20
    i = lax.tanh(h)  # f32[5,4]  jax_checkpoint.py:20
    j = lax.add(np.float32(1.0), i)  # f32[5,4]  jax_checkpoint.py:20
    k = lax.mul(np.float32(0.5), j)  # f32[5,4]  jax_checkpoint.py:20
    l = lax.mul(d, k)  # f32[5,4]  jax_checkpoint.py:20
    m = lax.add(l, a)  # f32[5,4]  jax_checkpoint.py:20
    return m, (d, a)


def body_2(a, b, c, d):
    e = lax.integer_pow(a, 3)  # f32[5,4]  jax_checkpoint.py:20
    f = lax.integer_pow(a, 2)  # f32[5,4]  jax_checkpoint.py:20
    g = lax.mul(np.float32(3.0), f)  # f32[5,4]  jax_checkpoint.py:20
    h = lax.mul(np.float32(0.044715), e)  # f32[5,4]  jax_checkpoint.py:20
    i = lax.add(a, h)  # f32[5,4]  jax_checkpoint.py:20
    j = lax.mul(np.float32(0.7978846), i)  # f32[5,4]  jax_checkpoint.py:20
    k = lax.tanh(j)  # f32[5,4]  jax_checkpoint.py:20
    l = lax.sub(np.float32(1.0), k)  # f32[5,4]  jax_checkpoint.py:20
    m = lax.add(np.float32(1.0), k)  # f32[5,4]  jax_checkpoint.py:20
    n = lax.mul(np.float32(0.5), m)  # f32[5,4]  jax_checkpoint.py:20
    o = lax.mul(a, d)  # f32[5,4]  jax_checkpoint.py:20
    p = lax.mul(d, n)  # f32[5,4]  jax_checkpoint.py:20
    q = lax.mul(np.float32(0.5), o)  # f32[5,4]  jax_checkpoint.py:20
    r = lax.mul(q, l)  # f32[5,4]  jax_checkpoint.py:20
    s = lax.mul(r, k)  # f32[5,4]  jax_checkpoint.py:20
    t = primitives.add_jaxvals_p.bind(r, s)  # f32[5,4]  jax_checkpoint.py:20
    u = lax.mul(np.float32(0.7978846), t)  # f32[5,4]  jax_checkpoint.py:20
    v = primitives.add_jaxvals_p.bind(p, u)  # f32[5,4]  jax_checkpoint.py:20
    w = lax.mul(np.float32(0.044715), u)  # f32[5,4]  jax_checkpoint.py:20
    x = lax.mul(w, g)  # f32[5,4]  jax_checkpoint.py:20
    y = primitives.add_jaxvals_p.bind(v, x)  # f32[5,4]  jax_checkpoint.py:20
    z = lax.dot_general(  # f32[4,4]  jax_checkpoint.py:20
        y, c, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    aa = lax.transpose(z, (1, 0))  # f32[4,4]  jax_checkpoint.py:20
    ab = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:20
        y, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    ac = primitives.add_jaxvals_p.bind(d, ab)  # f32[5,4]  jax_checkpoint.py:20
    return aa, ac


def body_3(a, rows):
    b, c, d = rows
    e, f = primitives.remat_p.bind(  # f32[4,4], f32[5,4]  jax_checkpoint.py:33
        b,
        c,
        d,
        a,
        differentiated=True,
        jaxpr=J(body_2, S((5, 4), f32), S((4, 4), f32), S((5, 4), f32), S((5, 4), f32)).jaxpr,
        policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
        prevent_cse=False,
    )
    return f, e


def body_4(a, b, c):
    d = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:25
        b, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    e = lax.sin(d)  # f32[5,4]  jax_checkpoint.py:25
    f = lax.neg(c)  # f32[5,4]  jax_checkpoint.py:25
    g = lax.mul(f, e)  # f32[5,4]  jax_checkpoint.py:25
    h = lax.dot_general(  # f32[4,4]  jax_checkpoint.py:25
        g, b, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    i = lax.transpose(h, (1, 0))  # f32[4,4]  jax_checkpoint.py:25
    j = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:25
        g, a, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    k = primitives.add_jaxvals_p.bind(c, j)  # f32[5,4]  jax_checkpoint.py:25
    return i, k


def body_5(a, b, c, d):
    e = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:15
        c, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    f = lax.cos(e)  # f32[5,4]  jax_checkpoint.py:15
    g = lax.tanh(a)  # f32[5,4]  jax_checkpoint.py:15
    h = lax.sub(np.float32(1.0), g)  # f32[5,4]  jax_checkpoint.py:15
    i = lax.mul(d, h)  # f32[5,4]  jax_checkpoint.py:15
    j = lax.mul(i, g)  # f32[5,4]  jax_checkpoint.py:15
    k = primitives.add_jaxvals_p.bind(i, j)  # f32[5,4]  jax_checkpoint.py:15
    l = lax.mul(k, f)  # f32[5,4]  jax_checkpoint.py:15
    m = lax.dot_general(  # f32[4,4]  jax_checkpoint.py:15
        l, c, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    n = lax.transpose(m, (1, 0))  # f32[4,4]  jax_checkpoint.py:15
    return n


def inputs():
    return [
        ARRAYS["x0"],  # a = weights: f32[3,4,4]
        ARRAYS["x1"],  # b = x: f32[5,4]
    ]


def repro(a, b):
    c = lax.slice(a, (0, 0, 0), (1, 4, 4))  # f32[1,4,4]  jax_checkpoint.py:31
    d = lax.squeeze(c, (0,))  # f32[4,4]  jax_checkpoint.py:31
    e = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:15
        b, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    f = lax.sin(e)  # f32[5,4]  jax_checkpoint.py:15
    g = primitives.name_p.bind(f, name="hidden")  # f32[5,4]  jax_checkpoint.py:15
    h = lax.reduce_precision_p.bind(g, exponent_bits=8, mantissa_bits=23)  # f32[5,4]  jax_checkpoint.py:15
    i = lax.tanh(h)  # f32[5,4]  jax_checkpoint.py:15
    j = lax.add(i, b)  # f32[5,4]  jax_checkpoint.py:15
    k = lax.slice(a, (1, 0, 0), (2, 4, 4))  # f32[1,4,4]  jax_checkpoint.py:32
    l = lax.squeeze(k, (0,))  # f32[4,4]  jax_checkpoint.py:32
    m = lax.dot_general(  # f32[5,4]  jax_checkpoint.py:25
        j, l, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    n = lax.cos(m)  # f32[5,4]  jax_checkpoint.py:25
    o = lax.add(n, j)  # f32[5,4]  jax_checkpoint.py:25
    p, (q, r) = lax.scan(body, o, a)  # f32[5,4], f32[3,5,4], f32[3,5,4]  jax_checkpoint.py:33
    s = lax.integer_pow(p, 2)  # f32[5,4]  jax_checkpoint.py:34
    t = lax.mul(np.float32(2.0), p)  # f32[5,4]  jax_checkpoint.py:34
    u = lax.reduce_sum(s, axes=(0, 1))  # f32[]  jax_checkpoint.py:34
    v = lax.div(u, np.float32(20.0))  # f32[]  jax_checkpoint.py:34
    w = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  jax_checkpoint.py:34
    x = lax.broadcast_in_dim(w, (5, 4), ())  # f32[5,4]  jax_checkpoint.py:34
    y = lax.mul(x, t)  # f32[5,4]  jax_checkpoint.py:34
    z, aa = lax.scan(body_3, y, (q, a, r), reverse=True)  # f32[5,4], f32[3,4,4]  jax_checkpoint.py:33
    ab, ac = primitives.remat_p.bind(  # f32[4,4], f32[5,4]  jax_checkpoint.py:32
        l,
        j,
        z,
        differentiated=True,
        jaxpr=J(body_4, S((4, 4), f32), S((5, 4), f32), S((5, 4), f32)).jaxpr,
        policy=None,
        prevent_cse=True,
    )
    ad = lax.broadcast_in_dim(ab, (1, 4, 4), (1, 2))  # f32[1,4,4]  jax_checkpoint.py:32
    ae = lax.pad(ad, np.float32(0.0), ((1, 1, 0), (0, 0, 0), (0, 0, 0)))  # f32[3,4,4]  jax_checkpoint.py:32
    af = primitives.add_jaxvals_p.bind(aa, ae)  # f32[3,4,4]  jax_checkpoint.py:32
    (ag,) = primitives.remat_p.bind(  # f32[4,4]  jax_checkpoint.py:31
        h,
        d,
        b,
        ac,
        differentiated=True,
        jaxpr=J(body_5, S((5, 4), f32), S((4, 4), f32), S((5, 4), f32), S((5, 4), f32)).jaxpr,
        policy=jax.checkpoint_policies.save_only_these_names("hidden"),
        prevent_cse=True,
    )
    ah = lax.broadcast_in_dim(ag, (1, 4, 4), (1, 2))  # f32[1,4,4]  jax_checkpoint.py:31
    ai = lax.pad(ah, np.float32(0.0), ((0, 2, 0), (0, 0, 0), (0, 0, 0)))  # f32[3,4,4]  jax_checkpoint.py:31
    aj = primitives.add_jaxvals_p.bind(af, ai)  # f32[3,4,4]  jax_checkpoint.py:31
    ak = lax.mul(np.float32(0.1), aj)  # f32[3,4,4]  jax_checkpoint.py:37
    al = lax.sub(a, ak)  # f32[3,4,4]  jax_checkpoint.py:37
    # result[0], result[1]
    return al, v


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
