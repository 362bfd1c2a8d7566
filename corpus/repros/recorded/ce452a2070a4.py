# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jax_leapfrog_x64.py:37 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ce452a2070a49728d0d7c20ede15dd985ed643edbc38387d5b9a6639706132d5"
# outputs_sha256 = "0ac49c70b7c85d0310e88f257d37ad95aad783f6927d8cd92b15157d3d40546b"
# self_check = "exact"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jax_leapfrog_x64.py:37): written by jace-repro, needs only jax and numpy."""

import functools

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import primitives

i64 = np.dtype("int64")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


C0 = jnp.asarray(
    np.array(
        [
            [-1.7285295500961166, -1.3216706595337844, -1.3665505439301122],
            [-0.3461752227134485, -2.3117172859466075, -0.17501146085548192],
            [-0.9649333329063506, 0.8898504857434693, 0.9597118037230995],
            [1.3936971808003469, 0.7506015124503715, -0.04924708459108416],
        ],
        np.float64,
    ),
)
C1 = jnp.asarray(
    np.array(
        [
            [0.10869793742452803, 0.14890958765816178, -0.043506561844517275],
            [0.04787054119989541, 0.0215551674755148, 0.1337194498328461],
            [-0.07039626025976052, -0.04485713194487576, 0.02105635589844911],
            [0.0029638198051621456, -0.17342634752281924, 0.03962235785372376],
        ],
        np.float64,
    ),
)
C2 = jnp.asarray(np.array([1.0, 1.0, 1.0, 1.0], np.float64))


@jax.jit
def triu(a):
    b = lax.broadcasted_iota(i64, (4, 4), 0)  # i64[4,4]
    c = lax.add(b, np.int64(0))  # i64[4,4]
    d = lax.broadcasted_iota(i64, (4, 4), 1)  # i64[4,4]
    e = lax.ge(c, d)  # bool[4,4]
    f = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    g = lax.broadcast_in_dim(e, (2, 4, 4), (1, 2))  # bool[2,4,4]
    h = lax.broadcast_in_dim(f, (2, 4, 4), (1, 2))  # f64[2,4,4]
    i = lax.select_n(g, a, h)  # f64[2,4,4]
    j = lax.broadcast_in_dim(np.float64(0.0), (4, 4), ())  # f64[4,4]
    return i, e, j


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
    g = lax.broadcast_in_dim(e, (2, 4, 4), (1, 2))  # bool[2,4,4]
    h = lax.broadcast_in_dim(f, (2, 4, 4), (1, 2))  # f64[2,4,4]
    i = lax.select_n(g, a, h)  # f64[2,4,4]
    return i


def body(a, b, carry, rows):
    c, d = carry
    e = lax.mul(np.float64(0.5), a)  # f64[2]  jax_leapfrog_x64.py:24
    f = lax.broadcast_in_dim(c, (2, 4, 1, 3), (0, 1, 3))  # f64[2,4,1,3]  jax_leapfrog_x64.py:14
    g = lax.broadcast_in_dim(c, (2, 1, 4, 3), (0, 2, 3))  # f64[2,1,4,3]  jax_leapfrog_x64.py:14
    h = lax.sub(f, g)  # f64[2,4,4,3]  jax_leapfrog_x64.py:14
    i = lax.integer_pow(h, 2)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    j = lax.mul(np.float64(2.0), h)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    k = lax.reduce_sum(i, axes=(3,))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    l = lax.add(k, np.float64(0.0001))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    m = lax.sqrt(l)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    n = lax.div(np.float64(0.5), m)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    o = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    p = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    q = lax.mul(o, p)  # f64[4,4]  jax_leapfrog_x64.py:16
    r = lax.broadcast_in_dim(q, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    s = lax.div(r, m)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    t = lax.integer_pow(m, -2)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    u, v, w = triu(s)  # f64[2,4,4], bool[4,4], f64[4,4]  jax_leapfrog_x64.py:16
    x = lax.reduce_sum(u, axes=(1, 2))  # f64[2]  jax_leapfrog_x64.py:17
    _ = lax.neg(x)  # f64[2]  jax_leapfrog_x64.py:17
    y = lax.neg(np.float64(1.0))  # f64[]  jax_leapfrog_x64.py:17
    z = lax.broadcast_in_dim(y, (4, 4), ())  # f64[4,4]  jax_leapfrog_x64.py:17
    aa = triu_2(v, w, z)  # f64[4,4]  jax_leapfrog_x64.py:16
    ab = lax.broadcast_in_dim(aa, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    ac = lax.mul(ab, t)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    ad = lax.broadcast_in_dim(q, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    ae = lax.mul(ac, ad)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    af = lax.neg(ae)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    ag = lax.mul(af, n)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    ah = lax.broadcast_in_dim(ag, (2, 4, 4, 3), (0, 1, 2))  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    ai = lax.mul(ah, j)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    aj = lax.reduce_sum(ai, axes=(2,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    ak = lax.reshape(aj, (2, 4, 1, 3))  # f64[2,4,1,3]  jax_leapfrog_x64.py:14
    al = lax.neg(ai)  # f64[2,4,4,3]  jax_leapfrog_x64.py:14
    am = lax.reduce_sum(al, axes=(1,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    an = lax.reshape(am, (2, 1, 4, 3))  # f64[2,1,4,3]  jax_leapfrog_x64.py:14
    ao = lax.reduce_sum(an, axes=(1,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    ap = lax.reduce_sum(ak, axes=(2,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    aq = primitives.add_jaxvals_p.bind(ao, ap)  # f64[2,4,3]  jax_leapfrog_x64.py:14
    ar = lax.broadcast_in_dim(e, (2, 1, 1), (0,))  # f64[2,1,1]  jax_leapfrog_x64.py:24
    at = lax.mul(ar, aq)  # f64[2,4,3]  jax_leapfrog_x64.py:24
    au = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:24
    av = lax.broadcast_in_dim(au, (1, 4, 1), (1, 2))  # f64[1,4,1]  jax_leapfrog_x64.py:24
    aw = lax.div(at, av)  # f64[2,4,3]  jax_leapfrog_x64.py:24
    ax = lax.sub(d, aw)  # f64[2,4,3]  jax_leapfrog_x64.py:24
    ay = lax.broadcast_in_dim(a, (2, 1, 1), (0,))  # f64[2,1,1]  jax_leapfrog_x64.py:25
    az = lax.mul(ay, ax)  # f64[2,4,3]  jax_leapfrog_x64.py:25
    ba = lax.add(c, az)  # f64[2,4,3]  jax_leapfrog_x64.py:25
    bb = lax.mul(np.float64(0.5), a)  # f64[2]  jax_leapfrog_x64.py:26
    bc = lax.broadcast_in_dim(ba, (2, 4, 1, 3), (0, 1, 3))  # f64[2,4,1,3]  jax_leapfrog_x64.py:14
    bd = lax.broadcast_in_dim(ba, (2, 1, 4, 3), (0, 2, 3))  # f64[2,1,4,3]  jax_leapfrog_x64.py:14
    be = lax.sub(bc, bd)  # f64[2,4,4,3]  jax_leapfrog_x64.py:14
    bf = lax.integer_pow(be, 2)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    bg = lax.mul(np.float64(2.0), be)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    bh = lax.reduce_sum(bf, axes=(3,))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    bi = lax.add(bh, np.float64(0.0001))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    bj = lax.sqrt(bi)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    bk = lax.div(np.float64(0.5), bj)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    bl = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    bm = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    bn = lax.mul(bl, bm)  # f64[4,4]  jax_leapfrog_x64.py:16
    bo = lax.broadcast_in_dim(bn, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    bp = lax.div(bo, bj)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    bq = lax.integer_pow(bj, -2)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    br, bs, bt = triu(bp)  # f64[2,4,4], bool[4,4], f64[4,4]  jax_leapfrog_x64.py:16
    bu = lax.reduce_sum(br, axes=(1, 2))  # f64[2]  jax_leapfrog_x64.py:17
    _ = lax.neg(bu)  # f64[2]  jax_leapfrog_x64.py:17
    bv = lax.neg(np.float64(1.0))  # f64[]  jax_leapfrog_x64.py:17
    bw = lax.broadcast_in_dim(bv, (4, 4), ())  # f64[4,4]  jax_leapfrog_x64.py:17
    bx = triu_2(bs, bt, bw)  # f64[4,4]  jax_leapfrog_x64.py:16
    by = lax.broadcast_in_dim(bx, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    bz = lax.mul(by, bq)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    ca = lax.broadcast_in_dim(bn, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    cb = lax.mul(bz, ca)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    cc = lax.neg(cb)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    cd = lax.mul(cc, bk)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    ce = lax.broadcast_in_dim(cd, (2, 4, 4, 3), (0, 1, 2))  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    cf = lax.mul(ce, bg)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    cg = lax.reduce_sum(cf, axes=(2,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    ch = lax.reshape(cg, (2, 4, 1, 3))  # f64[2,4,1,3]  jax_leapfrog_x64.py:14
    ci = lax.neg(cf)  # f64[2,4,4,3]  jax_leapfrog_x64.py:14
    cj = lax.reduce_sum(ci, axes=(1,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    ck = lax.reshape(cj, (2, 1, 4, 3))  # f64[2,1,4,3]  jax_leapfrog_x64.py:14
    cl = lax.reduce_sum(ck, axes=(1,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    cm = lax.reduce_sum(ch, axes=(2,))  # f64[2,4,3]  jax_leapfrog_x64.py:14
    cn = primitives.add_jaxvals_p.bind(cl, cm)  # f64[2,4,3]  jax_leapfrog_x64.py:14
    co = lax.broadcast_in_dim(bb, (2, 1, 1), (0,))  # f64[2,1,1]  jax_leapfrog_x64.py:26
    cp = lax.mul(co, cn)  # f64[2,4,3]  jax_leapfrog_x64.py:26
    cq = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:26
    cr = lax.broadcast_in_dim(cq, (1, 4, 1), (1, 2))  # f64[1,4,1]  jax_leapfrog_x64.py:26
    cs = lax.div(cp, cr)  # f64[2,4,3]  jax_leapfrog_x64.py:26
    ct = lax.sub(ax, cs)  # f64[2,4,3]  jax_leapfrog_x64.py:26
    cu = lax.broadcast_in_dim(ba, (2, 4, 1, 3), (0, 1, 3))  # f64[2,4,1,3]  jax_leapfrog_x64.py:14
    cv = lax.broadcast_in_dim(ba, (2, 1, 4, 3), (0, 2, 3))  # f64[2,1,4,3]  jax_leapfrog_x64.py:14
    cw = lax.sub(cu, cv)  # f64[2,4,4,3]  jax_leapfrog_x64.py:14
    cx = lax.integer_pow(cw, 2)  # f64[2,4,4,3]  jax_leapfrog_x64.py:15
    cy = lax.reduce_sum(cx, axes=(3,))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    cz = lax.add(cy, np.float64(0.0001))  # f64[2,4,4]  jax_leapfrog_x64.py:15
    da = lax.sqrt(cz)  # f64[2,4,4]  jax_leapfrog_x64.py:15
    db = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:16
    dc = lax.broadcast_in_dim(b, (1, 4), (1,))  # f64[1,4]  jax_leapfrog_x64.py:16
    dd = lax.mul(db, dc)  # f64[4,4]  jax_leapfrog_x64.py:16
    de = lax.broadcast_in_dim(dd, (1, 4, 4), (1, 2))  # f64[1,4,4]  jax_leapfrog_x64.py:16
    df = lax.div(de, da)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    dg = triu_3(df)  # f64[2,4,4]  jax_leapfrog_x64.py:16
    dh = lax.reduce_sum(dg, axes=(1, 2))  # f64[2]  jax_leapfrog_x64.py:17
    di = lax.neg(dh)  # f64[2]  jax_leapfrog_x64.py:17
    dj = lax.broadcast_in_dim(b, (4, 1), (0,))  # f64[4,1]  jax_leapfrog_x64.py:27
    dk = lax.integer_pow(ct, 2)  # f64[2,4,3]  jax_leapfrog_x64.py:27
    dl = lax.broadcast_in_dim(dj, (1, 4, 1), (1, 2))  # f64[1,4,1]  jax_leapfrog_x64.py:27
    dm = lax.mul(dl, dk)  # f64[2,4,3]  jax_leapfrog_x64.py:27
    dn = lax.reduce_sum(dm, axes=(1, 2))  # f64[2]  jax_leapfrog_x64.py:27
    do = lax.mul(np.float64(0.5), dn)  # f64[2]  jax_leapfrog_x64.py:27
    dp = lax.add(di, do)  # f64[2]  jax_leapfrog_x64.py:27
    return (ba, ct), dp


@jax.jit
def leapfrog(a, b, c, d):
    e = lax.broadcast_in_dim(a, (2, 4, 3), (1, 2))  # f64[2,4,3]  jax_leapfrog_x64.py:29
    f = lax.broadcast_in_dim(b, (2, 4, 3), (1, 2))  # f64[2,4,3]  jax_leapfrog_x64.py:29
    (g, h), i = lax.scan(  # f64[2,4,3], f64[2,4,3], f64[5,2]  jax_leapfrog_x64.py:29
        functools.partial(body, d, c), (e, f), None, length=5
    )
    return g, h, i


@jit("_ptp")
def ptp_fn(a):
    b = lax.reduce_max(a, axes=(0,))  # f64[2]
    c = lax.reduce_min(a, axes=(0,))  # f64[2]
    d = lax.sub(b, c)  # f64[2]
    return d


def inputs():
    return [
        np.array([0.001, 0.01], np.float64),  # a = dt: f64[2]
    ]


def repro(a):
    _, _, b = leapfrog(C0, C1, C2, a)  # f64[2,4,3], f64[2,4,3], f64[5,2]  jax_leapfrog_x64.py:37
    c = ptp_fn(b)  # f64[2]  jax_leapfrog_x64.py:37
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
