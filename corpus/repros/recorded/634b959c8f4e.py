# /// jace-repro
# schema = 1
# name = "leapfrog"
# origin = "scripts/libraries/jax_leapfrog_x64.py:20 (leapfrog)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "634b959c8f4e8834845badd03fee602e576dfd8912567532d6326661f2bdd245"
# outputs_sha256 = "e4478ada2bd45245b5c4f708c8965abf7d6aa675f74b42bac2b6a68d62295663"
# self_check = "exact"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""leapfrog (jax_leapfrog_x64.py:20): written by jace-repro, needs only jax and numpy."""

import functools

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax
from jax.extend.core import primitives

f64 = np.dtype("float64")
i64 = np.dtype("int64")


@jax.jit
def triu(a):
    b = lax.broadcasted_iota(i64, (4, 4), 0)  # i64[4,4]
    c = lax.add(b, np.int64(0))  # i64[4,4]
    d = lax.broadcasted_iota(i64, (4, 4), 1)  # i64[4,4]
    e = lax.ge(c, d)  # bool[4,4]
    f = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    g = lax.select_n(e, a, f)  # f64[4,4]
    h = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    return g, e, h


@jax.jit
def triu_2(a, b, c):
    d = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    e = lax.select_n(a, c, d)  # f64[4,4]
    return e


@jax.jit
def triu_3(a):
    b = lax.broadcasted_iota(i64, (4, 4), 0)  # i64[4,4]
    c = lax.add(b, np.int64(0))  # i64[4,4]
    d = lax.broadcasted_iota(i64, (4, 4), 1)  # i64[4,4]
    e = lax.ge(c, d)  # bool[4,4]
    f = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    g = lax.select_n(e, a, f)  # f64[4,4]
    return g


def body(a, b, carry, rows):
    c, d = carry
    e = lax.mul(0.5, a)  # f64[] weak  jax_leapfrog_x64.py:24
    f = lax.broadcast_in_dim(c, (4, 1, 3), (0, 2))  # f64[4,1,3]  jax_leapfrog_x64.py:14
    g = lax.broadcast_in_dim(c, (1, 4, 3), (1, 2))  # f64[1,4,3]  jax_leapfrog_x64.py:14
    h = lax.sub(f, g)  # f64[4,4,3]  jax_leapfrog_x64.py:14
    i = lax.integer_pow(h, 2)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    j = lax.mul(np.float64(2.0), h)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    k = lax.reduce_sum(i, axes=(2,))  # f64[4,4]  jax_leapfrog_x64.py:15
    l = lax.add(k, np.float64(0.0001))  # f64[4,4]  jax_leapfrog_x64.py:15
    m = lax.sqrt(l)  # f64[4,4]  jax_leapfrog_x64.py:15
    n = lax.div(np.float64(0.5), m)  # f64[4,4]  jax_leapfrog_x64.py:15
    o = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    p = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    q = lax.mul(o, p)  # f64[4,4]  jax_leapfrog_x64.py:16
    r = lax.div(q, m)  # f64[4,4]  jax_leapfrog_x64.py:16
    s = lax.integer_pow(m, -2)  # f64[4,4]  jax_leapfrog_x64.py:16
    t, u, v = triu(r)  # f64[4,4], bool[4,4], f64[4,4]  jax_leapfrog_x64.py:16
    w = lax.reduce_sum(t, axes=(0, 1))  # f64[]  jax_leapfrog_x64.py:17
    _ = lax.neg(w)  # f64[]  jax_leapfrog_x64.py:17
    x = lax.neg(np.float64(1.0))  # f64[]  jax_leapfrog_x64.py:17
    y = lax.broadcast_in_dim(x, (4, 4), ())  # f64[4,4]  jax_leapfrog_x64.py:17
    z = triu_2(u, v, y)  # f64[4,4]  jax_leapfrog_x64.py:16
    aa = lax.mul(z, s)  # f64[4,4]  jax_leapfrog_x64.py:16
    ab = lax.mul(aa, q)  # f64[4,4]  jax_leapfrog_x64.py:16
    ac = lax.neg(ab)  # f64[4,4]  jax_leapfrog_x64.py:16
    ad = lax.mul(ac, n)  # f64[4,4]  jax_leapfrog_x64.py:15
    ae = lax.broadcast_in_dim(ad, (4, 4, 3), (0, 1))  # f64[4,4,3]  jax_leapfrog_x64.py:15
    af = lax.mul(ae, j)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    ag = lax.reduce_sum(af, axes=(1,))  # f64[4,3]  jax_leapfrog_x64.py:14
    ah = lax.reshape(ag, (4, 1, 3))  # f64[4,1,3]  jax_leapfrog_x64.py:14
    ai = lax.neg(af)  # f64[4,4,3]  jax_leapfrog_x64.py:14
    aj = lax.reduce_sum(ai, axes=(0,))  # f64[4,3]  jax_leapfrog_x64.py:14
    ak = lax.reshape(aj, (1, 4, 3))  # f64[1,4,3]  jax_leapfrog_x64.py:14
    al = lax.reduce_sum(ak, axes=(0,))  # f64[4,3]  jax_leapfrog_x64.py:14
    am = lax.reduce_sum(ah, axes=(1,))  # f64[4,3]  jax_leapfrog_x64.py:14
    an = primitives.add_jaxvals_p.bind(al, am)  # f64[4,3]  jax_leapfrog_x64.py:14
    ao = lax.convert_element_type(e, f64)  # f64[]  jax_leapfrog_x64.py:24
    ap = lax.mul(ao, an)  # f64[4,3]  jax_leapfrog_x64.py:24
    aq = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:24
    ar = lax.div(ap, aq)  # f64[4,3]  jax_leapfrog_x64.py:24
    at = lax.sub(d, ar)  # f64[4,3]  jax_leapfrog_x64.py:24
    au = lax.convert_element_type(a, f64)  # f64[]  jax_leapfrog_x64.py:25
    av = lax.mul(au, at)  # f64[4,3]  jax_leapfrog_x64.py:25
    aw = lax.add(c, av)  # f64[4,3]  jax_leapfrog_x64.py:25
    ax = lax.mul(0.5, a)  # f64[] weak  jax_leapfrog_x64.py:26
    ay = lax.broadcast_in_dim(aw, (4, 1, 3), (0, 2))  # f64[4,1,3]  jax_leapfrog_x64.py:14
    az = lax.broadcast_in_dim(aw, (1, 4, 3), (1, 2))  # f64[1,4,3]  jax_leapfrog_x64.py:14
    ba = lax.sub(ay, az)  # f64[4,4,3]  jax_leapfrog_x64.py:14
    bb = lax.integer_pow(ba, 2)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    bc = lax.mul(np.float64(2.0), ba)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    bd = lax.reduce_sum(bb, axes=(2,))  # f64[4,4]  jax_leapfrog_x64.py:15
    be = lax.add(bd, np.float64(0.0001))  # f64[4,4]  jax_leapfrog_x64.py:15
    bf = lax.sqrt(be)  # f64[4,4]  jax_leapfrog_x64.py:15
    bg = lax.div(np.float64(0.5), bf)  # f64[4,4]  jax_leapfrog_x64.py:15
    bh = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    bi = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    bj = lax.mul(bh, bi)  # f64[4,4]  jax_leapfrog_x64.py:16
    bk = lax.div(bj, bf)  # f64[4,4]  jax_leapfrog_x64.py:16
    bl = lax.integer_pow(bf, -2)  # f64[4,4]  jax_leapfrog_x64.py:16
    bm, bn, bo = triu(bk)  # f64[4,4], bool[4,4], f64[4,4]  jax_leapfrog_x64.py:16
    bp = lax.reduce_sum(bm, axes=(0, 1))  # f64[]  jax_leapfrog_x64.py:17
    _ = lax.neg(bp)  # f64[]  jax_leapfrog_x64.py:17
    bq = lax.neg(np.float64(1.0))  # f64[]  jax_leapfrog_x64.py:17
    br = lax.broadcast_in_dim(bq, (4, 4), ())  # f64[4,4]  jax_leapfrog_x64.py:17
    bs = triu_2(bn, bo, br)  # f64[4,4]  jax_leapfrog_x64.py:16
    bt = lax.mul(bs, bl)  # f64[4,4]  jax_leapfrog_x64.py:16
    bu = lax.mul(bt, bj)  # f64[4,4]  jax_leapfrog_x64.py:16
    bv = lax.neg(bu)  # f64[4,4]  jax_leapfrog_x64.py:16
    bw = lax.mul(bv, bg)  # f64[4,4]  jax_leapfrog_x64.py:15
    bx = lax.broadcast_in_dim(bw, (4, 4, 3), (0, 1))  # f64[4,4,3]  jax_leapfrog_x64.py:15
    by = lax.mul(bx, bc)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    bz = lax.reduce_sum(by, axes=(1,))  # f64[4,3]  jax_leapfrog_x64.py:14
    ca = lax.reshape(bz, (4, 1, 3))  # f64[4,1,3]  jax_leapfrog_x64.py:14
    cb = lax.neg(by)  # f64[4,4,3]  jax_leapfrog_x64.py:14
    cc = lax.reduce_sum(cb, axes=(0,))  # f64[4,3]  jax_leapfrog_x64.py:14
    cd = lax.reshape(cc, (1, 4, 3))  # f64[1,4,3]  jax_leapfrog_x64.py:14
    ce = lax.reduce_sum(cd, axes=(0,))  # f64[4,3]  jax_leapfrog_x64.py:14
    cf = lax.reduce_sum(ca, axes=(1,))  # f64[4,3]  jax_leapfrog_x64.py:14
    cg = primitives.add_jaxvals_p.bind(ce, cf)  # f64[4,3]  jax_leapfrog_x64.py:14
    ch = lax.convert_element_type(ax, f64)  # f64[]  jax_leapfrog_x64.py:26
    ci = lax.mul(ch, cg)  # f64[4,3]  jax_leapfrog_x64.py:26
    cj = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:26
    ck = lax.div(ci, cj)  # f64[4,3]  jax_leapfrog_x64.py:26
    cl = lax.sub(at, ck)  # f64[4,3]  jax_leapfrog_x64.py:26
    cm = lax.broadcast_in_dim(aw, (4, 1, 3), (0, 2))  # f64[4,1,3]  jax_leapfrog_x64.py:14
    cn = lax.broadcast_in_dim(aw, (1, 4, 3), (1, 2))  # f64[1,4,3]  jax_leapfrog_x64.py:14
    co = lax.sub(cm, cn)  # f64[4,4,3]  jax_leapfrog_x64.py:14
    cp = lax.integer_pow(co, 2)  # f64[4,4,3]  jax_leapfrog_x64.py:15
    cq = lax.reduce_sum(cp, axes=(2,))  # f64[4,4]  jax_leapfrog_x64.py:15
    cr = lax.add(cq, np.float64(0.0001))  # f64[4,4]  jax_leapfrog_x64.py:15
    cs = lax.sqrt(cr)  # f64[4,4]  jax_leapfrog_x64.py:15
    ct = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    cu = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    cv = lax.mul(ct, cu)  # f64[4,4]  jax_leapfrog_x64.py:16
    cw = lax.div(cv, cs)  # f64[4,4]  jax_leapfrog_x64.py:16
    cx = triu_3(cw)  # f64[4,4]  jax_leapfrog_x64.py:16
    cy = lax.reduce_sum(cx, axes=(0, 1))  # f64[]  jax_leapfrog_x64.py:17
    cz = lax.neg(cy)  # f64[]  jax_leapfrog_x64.py:17
    da = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:27
    db = lax.integer_pow(cl, 2)  # f64[4,3]  jax_leapfrog_x64.py:27
    dc = lax.mul(da, db)  # f64[4,3]  jax_leapfrog_x64.py:27
    dd = lax.reduce_sum(dc, axes=(0, 1))  # f64[]  jax_leapfrog_x64.py:27
    de = lax.mul(np.float64(0.5), dd)  # f64[]  jax_leapfrog_x64.py:27
    df = lax.add(cz, de)  # f64[]  jax_leapfrog_x64.py:27
    return (aw, cl), df


def inputs():
    return [
        # a = state[0]: f64[4,3]
        np.array(
            [
                [-1.738266398496882, -1.3366427931811324, -1.361106708564987],
                [-0.35161713127840977, -2.3125815796967033, -0.18889719608460778],
                [-0.957229228096346, 0.8936001849299788, 0.956847237579234],
                [1.3922582291390866, 0.7674701130947078, -0.053029778757267734],
            ],
            np.float64,
        ),
        # b = state[1]: f64[4,3]
        np.array(
            [
                [0.08597939889439096, 0.15054811563838433, -0.06535945334170486],
                [0.061035114583018704, -0.0042673827710852374, 0.14400167254152393],
                [-0.08368950200968434, -0.03015466095655266, 0.036233859316943916],
                [0.025811026702099754, -0.16394479624476482, 0.0360155232237386],
            ],
            np.float64,
        ),
        np.array([1.0, 1.0, 1.0, 1.0], np.float64),  # c = masses: f64[4]
        0.01,  # d = dt: f64[] weak
    ]


def repro(a, b, c, d):
    (e, f), g = lax.scan(  # f64[4,3], f64[4,3], f64[5]  jax_leapfrog_x64.py:29
        functools.partial(body, d, c), (a, b), None, length=5
    )
    # result[0][0], result[0][1], result[1]
    return e, f, g


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
