# /// jace-repro
# schema = 1
# name = "hessian_vector"
# origin = "scripts/libraries/jax_derivatives.py:18 (hessian_vector)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "c9ef5e147264143fc390789e228e96405125847bc0090e8282ce4f6ba25d8e07"
# outputs_sha256 = "4eb50b75f162036752bfec6361e4f30378336970d108190a91fd979cfe7fe2c4"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""hessian_vector (jax_derivatives.py:18): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives


@jax.jit
def field(a, b):
    c = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    d = lax.slice(b, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    e = lax.squeeze(c, (0,))  # f32[]  jax_derivatives.py:10
    f = lax.squeeze(d, (0,))  # f32[]  jax_derivatives.py:10
    g = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    h = lax.slice(b, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    i = lax.squeeze(g, (0,))  # f32[]  jax_derivatives.py:10
    j = lax.squeeze(h, (0,))  # f32[]  jax_derivatives.py:10
    k = lax.mul(e, i)  # f32[]  jax_derivatives.py:10
    l = lax.mul(f, i)  # f32[]  jax_derivatives.py:10
    m = lax.mul(e, j)  # f32[]  jax_derivatives.py:10
    n = primitives.add_jaxvals_p.bind(l, m)  # f32[]  jax_derivatives.py:10
    o = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    p = lax.slice(b, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    q = lax.squeeze(o, (0,))  # f32[]  jax_derivatives.py:10
    r = lax.squeeze(p, (0,))  # f32[]  jax_derivatives.py:10
    s = lax.sin(q)  # f32[]  jax_derivatives.py:10
    t = lax.cos(q)  # f32[]  jax_derivatives.py:10
    u = lax.mul(r, t)  # f32[]  jax_derivatives.py:10
    v = lax.cos(q)  # f32[]  jax_derivatives.py:10
    w = lax.sin(q)  # f32[]  jax_derivatives.py:10
    x = lax.mul(r, w)  # f32[]  jax_derivatives.py:10
    y = lax.neg(x)  # f32[]  jax_derivatives.py:10
    z = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    aa = lax.slice(b, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    ab = lax.squeeze(z, (0,))  # f32[]  jax_derivatives.py:10
    ac = lax.squeeze(aa, (0,))  # f32[]  jax_derivatives.py:10
    ad = lax.mul(s, ab)  # f32[]  jax_derivatives.py:10
    ae = lax.mul(u, ab)  # f32[]  jax_derivatives.py:10
    af = lax.mul(s, ac)  # f32[]  jax_derivatives.py:10
    ag = primitives.add_jaxvals_p.bind(ae, af)  # f32[]  jax_derivatives.py:10
    ah = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    ai = lax.slice(b, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    aj = lax.squeeze(ah, (0,))  # f32[]  jax_derivatives.py:10
    ak = lax.squeeze(ai, (0,))  # f32[]  jax_derivatives.py:10
    al = lax.integer_pow(aj, 2)  # f32[]  jax_derivatives.py:10
    am = lax.mul(np.float32(2.0), aj)  # f32[]  jax_derivatives.py:10
    an = lax.mul(ak, am)  # f32[]  jax_derivatives.py:10
    ao = lax.mul(np.float32(2.0), aj)  # f32[]  jax_derivatives.py:10
    ap = lax.mul(np.float32(2.0), ak)  # f32[]  jax_derivatives.py:10
    aq = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    ar = lax.slice(b, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    at = lax.squeeze(aq, (0,))  # f32[]  jax_derivatives.py:10
    au = lax.squeeze(ar, (0,))  # f32[]  jax_derivatives.py:10
    av = lax.add(al, at)  # f32[]  jax_derivatives.py:10
    aw = lax.add(an, au)  # f32[]  jax_derivatives.py:10
    ax = lax.stack_p.bind(k, ad, av, axis=0)  # f32[3]  jax_derivatives.py:10
    ay = lax.stack_p.bind(n, ag, aw, axis=0)  # f32[3]  jax_derivatives.py:10
    return ax, i, e, v, ab, s, ao, ay, j, f, y, ac, u, ap


@jax.jit
def energy(a, b):
    # f32[3], f32[], f32[], f32[], f32[], f32[], f32[], f32[3], f32[], f32[], f32[], f32[], f32[], f32[]  jax_derivatives.py:15
    c, d, e, f, g, h, i, j, k, l, m, n, o, p = field(
        a, b
    )
    q = lax.integer_pow(c, 2)  # f32[3]  jax_derivatives.py:15
    r = lax.mul(np.float32(2.0), c)  # f32[3]  jax_derivatives.py:15
    s = lax.mul(j, r)  # f32[3]  jax_derivatives.py:15
    t = lax.mul(np.float32(2.0), c)  # f32[3]  jax_derivatives.py:15
    u = lax.mul(np.float32(2.0), j)  # f32[3]  jax_derivatives.py:15
    v = lax.reduce_sum(q, axes=(0,))  # f32[]  jax_derivatives.py:15
    w = lax.reduce_sum(s, axes=(0,))  # f32[]  jax_derivatives.py:15
    return v, d, e, f, g, h, i, t, w, k, l, m, n, o, p, u


@jax.jit
def field_2(a, b, c, d, e, f, g, h, i, j, k, l, m, n):
    o, p, q = lax.unstack_p.bind(g, axis=0)  # f32[], f32[], f32[]  jax_derivatives.py:10
    r, s, t = lax.unstack_p.bind(n, axis=0)  # f32[], f32[], f32[]  jax_derivatives.py:10
    u = lax.broadcast_in_dim(q, (1,), ())  # f32[1]  jax_derivatives.py:10
    v = lax.broadcast_in_dim(t, (1,), ())  # f32[1]  jax_derivatives.py:10
    w = lax.pad(u, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    x = lax.pad(v, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    y = lax.mul(q, f)  # f32[]  jax_derivatives.py:10
    z = lax.mul(t, f)  # f32[]  jax_derivatives.py:10
    aa = lax.mul(q, m)  # f32[]  jax_derivatives.py:10
    ab = primitives.add_jaxvals_p.bind(z, aa)  # f32[]  jax_derivatives.py:10
    ac = lax.broadcast_in_dim(y, (1,), ())  # f32[1]  jax_derivatives.py:10
    ad = lax.broadcast_in_dim(ab, (1,), ())  # f32[1]  jax_derivatives.py:10
    ae = lax.pad(ac, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    af = lax.pad(ad, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    ag = primitives.add_jaxvals_p.bind(w, ae)  # f32[3]  jax_derivatives.py:10
    ah = primitives.add_jaxvals_p.bind(x, af)  # f32[3]  jax_derivatives.py:10
    ai = lax.mul(e, p)  # f32[]  jax_derivatives.py:10
    aj = lax.mul(l, p)  # f32[]  jax_derivatives.py:10
    ak = lax.mul(e, s)  # f32[]  jax_derivatives.py:10
    al = primitives.add_jaxvals_p.bind(aj, ak)  # f32[]  jax_derivatives.py:10
    am = lax.mul(p, d)  # f32[]  jax_derivatives.py:10
    an = lax.mul(s, d)  # f32[]  jax_derivatives.py:10
    ao = lax.mul(p, k)  # f32[]  jax_derivatives.py:10
    ap = primitives.add_jaxvals_p.bind(an, ao)  # f32[]  jax_derivatives.py:10
    aq = lax.broadcast_in_dim(ai, (1,), ())  # f32[1]  jax_derivatives.py:10
    ar = lax.broadcast_in_dim(al, (1,), ())  # f32[1]  jax_derivatives.py:10
    at = lax.pad(aq, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    au = lax.pad(ar, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    av = primitives.add_jaxvals_p.bind(ag, at)  # f32[3]  jax_derivatives.py:10
    aw = primitives.add_jaxvals_p.bind(ah, au)  # f32[3]  jax_derivatives.py:10
    ax = lax.mul(am, c)  # f32[]  jax_derivatives.py:10
    ay = lax.mul(ap, c)  # f32[]  jax_derivatives.py:10
    az = lax.mul(am, j)  # f32[]  jax_derivatives.py:10
    ba = primitives.add_jaxvals_p.bind(ay, az)  # f32[]  jax_derivatives.py:10
    bb = lax.broadcast_in_dim(ax, (1,), ())  # f32[1]  jax_derivatives.py:10
    bc = lax.broadcast_in_dim(ba, (1,), ())  # f32[1]  jax_derivatives.py:10
    bd = lax.pad(bb, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    be = lax.pad(bc, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    bf = primitives.add_jaxvals_p.bind(av, bd)  # f32[3]  jax_derivatives.py:10
    bg = primitives.add_jaxvals_p.bind(aw, be)  # f32[3]  jax_derivatives.py:10
    bh = lax.mul(b, o)  # f32[]  jax_derivatives.py:10
    bi = lax.mul(i, o)  # f32[]  jax_derivatives.py:10
    bj = lax.mul(b, r)  # f32[]  jax_derivatives.py:10
    bk = primitives.add_jaxvals_p.bind(bi, bj)  # f32[]  jax_derivatives.py:10
    bl = lax.mul(o, a)  # f32[]  jax_derivatives.py:10
    bm = lax.mul(r, a)  # f32[]  jax_derivatives.py:10
    bn = lax.mul(o, h)  # f32[]  jax_derivatives.py:10
    bo = primitives.add_jaxvals_p.bind(bm, bn)  # f32[]  jax_derivatives.py:10
    bp = lax.broadcast_in_dim(bh, (1,), ())  # f32[1]  jax_derivatives.py:10
    bq = lax.broadcast_in_dim(bk, (1,), ())  # f32[1]  jax_derivatives.py:10
    br = lax.pad(bp, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    bs = lax.pad(bq, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    bt = primitives.add_jaxvals_p.bind(bf, br)  # f32[3]  jax_derivatives.py:10
    bu = primitives.add_jaxvals_p.bind(bg, bs)  # f32[3]  jax_derivatives.py:10
    bv = lax.broadcast_in_dim(bl, (1,), ())  # f32[1]  jax_derivatives.py:10
    bw = lax.broadcast_in_dim(bo, (1,), ())  # f32[1]  jax_derivatives.py:10
    bx = lax.pad(bv, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    by = lax.pad(bw, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    bz = primitives.add_jaxvals_p.bind(bt, bx)  # f32[3]  jax_derivatives.py:10
    ca = primitives.add_jaxvals_p.bind(bu, by)  # f32[3]  jax_derivatives.py:10
    return bz, ca


@jax.jit
def energy_2(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o):
    p = lax.broadcast_in_dim(h, (3,), ())  # f32[3]  jax_derivatives.py:15
    q = lax.mul(p, g)  # f32[3]  jax_derivatives.py:15
    r = lax.mul(p, o)  # f32[3]  jax_derivatives.py:15
    s, t = field_2(a, b, c, d, e, f, q, i, j, k, l, m, n, r)  # f32[3], f32[3]  jax_derivatives.py:15
    return s, t


def inputs():
    return [
        np.array([-0.65179116, -0.17471729, 1.663724], np.float32),  # a = x: f32[3]
        np.array([1.0, 0.5, -0.5], np.float32),  # b = v: f32[3]
    ]


def repro(a, b):
    # f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[3], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[3]  jax_derivatives.py:20
    _, c, d, e, f, g, h, i, _, j, k, l, m, n, o, p = energy(
        a, b
    )
    _, q = energy_2(  # f32[3], f32[3]  jax_derivatives.py:20
        c, d, e, f, g, h, i, np.float32(1.0), j, k, l, m, n, o, p
    )
    return q


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
