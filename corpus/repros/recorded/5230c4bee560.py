# /// jace-repro
# schema = 1
# name = "step"
# origin = "_jit.py:43 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "5230c4bee560fe420331bfa4fb8566cf9fb568d3c1f7fd4c69c1044f0e88c33c"
# outputs_sha256 = "7d7fdd3444b465ab98ceb83e4f54c1774a241f446392e291d6b60a36041de025"
# sidecar_sha256 = "64e894c82d9132cf481b19ab825c1c4b822ecbe500cd7c6339fe7a19f1b2d679"
# self_check = "exact"
#
# [static]
# static = "(((<function step>,), PyTreeDef(*)), ((None, None, None, None, None, None, <PjitFunction of <function softplus>>, <function <lambda>>), PyTreeDef(CustomNode(MLP[(Missing, True, True, 3, 1, 8, 2, False..."
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (_jit.py:43): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "64e894c82d9132cf481b19ab825c1c4b822ecbe500cd7c6339fe7a19f1b2d679"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.custom_jvp
def logaddexp(a, b):
    c = lax.max(a, b)  # f32[16,8]
    d = lax.sub(a, b)  # f32[16,8]
    e = lax.ne(d, d)  # bool[16,8]
    f = lax.add(a, b)  # f32[16,8]
    g = lax.abs(d)  # f32[16,8]
    h = lax.neg(g)  # f32[16,8]
    i = lax.exp(h)  # f32[16,8]
    j = lax.log1p(i)  # f32[16,8]
    k = lax.add(c, j)  # f32[16,8]
    l = lax.select_n(e, k, f)  # f32[16,8]
    return l


@logaddexp.defjvp
def logaddexp_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = logaddexp(a, b)  # f32[16,8]
    f = lax.eq(a, np.float32(np.inf))  # bool[16,8]
    g = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    h = lax.broadcast_in_dim(g, (16, 8), (1,))  # f32[16,8]
    i = lax.select_n(f, a, h)  # f32[16,8]
    j = lax.eq(e, np.float32(np.inf))  # bool[16,8]
    k = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    l = lax.broadcast_in_dim(k, (16, 8), (1,))  # f32[16,8]
    m = lax.select_n(j, e, l)  # f32[16,8]
    n = lax.sub(i, m)  # f32[16,8]
    o = lax.exp(n)  # f32[16,8]
    p = lax.mul(c, o)  # f32[16,8]
    q = lax.eq(b, np.float32(np.inf))  # bool[]
    r = lax.select_n(q, b, np.float32(0.0))  # f32[]
    s = lax.eq(e, np.float32(np.inf))  # bool[16,8]
    t = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    u = lax.broadcast_in_dim(t, (16, 8), (1,))  # f32[16,8]
    v = lax.select_n(s, e, u)  # f32[16,8]
    w = lax.sub(r, v)  # f32[16,8]
    x = lax.exp(w)  # f32[16,8]
    y = lax.mul(d, x)  # f32[16,8]
    z = lax.add(p, y)  # f32[16,8]
    return e, z


@jax.jit
def softplus(a):
    b = logaddexp(a, np.float32(0.0))  # f32[16,8]
    c = lax.eq(a, np.float32(np.inf))  # bool[16,8]
    d = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    e = lax.broadcast_in_dim(d, (16, 8), (1,))  # f32[16,8]
    f = lax.select_n(c, a, e)  # f32[16,8]
    g = lax.eq(b, np.float32(np.inf))  # bool[16,8]
    h = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    i = lax.broadcast_in_dim(h, (16, 8), (1,))  # f32[16,8]
    j = lax.select_n(g, b, i)  # f32[16,8]
    k = lax.sub(f, j)  # f32[16,8]
    l = lax.exp(k)  # f32[16,8]
    m = lax.eq(np.float32(0.0), np.float32(np.inf))  # bool[]
    n = lax.select_n(m, np.float32(0.0), np.float32(0.0))  # f32[]
    o = lax.eq(b, np.float32(np.inf))  # bool[16,8]
    p = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]
    q = lax.broadcast_in_dim(p, (16, 8), (1,))  # f32[16,8]
    r = lax.select_n(o, b, q)  # f32[16,8]
    s = lax.sub(n, r)  # f32[16,8]
    t = lax.exp(s)  # f32[16,8]
    u = lax.mul(np.float32(0.0), t)  # f32[16,8]
    return b, l, u


@jax.jit
def softplus_2(a, b, c):
    d = lax.mul(c, a)  # f32[16,8]
    return d


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


def inputs():
    return [
        ARRAYS["x0"],  # a = dynamic_nodonate['first'][0]: f32[8,3]
        # b = dynamic_nodonate['first'][1]: f32[8]
        np.array(
            [
                -0.4569261,
                -0.18014762,
                -0.4260068,
                0.35810795,
                -0.35286358,
                0.15648678,
                0.3770153,
                -0.056218334,
            ],
            np.float32,
        ),
        ARRAYS["x2"],  # c = dynamic_nodonate['first'][2]: f32[8,8]
        # d = dynamic_nodonate['first'][3]: f32[8]
        np.array(
            [
                -0.28932267,
                -0.09743365,
                0.085989095,
                -0.241529,
                -0.021839822,
                -0.22532336,
                0.07436516,
                0.328885,
            ],
            np.float32,
        ),
        # e = dynamic_nodonate['first'][4]: f32[1,8]
        np.array(
            [
                [
                    -0.30486837,
                    -0.21583267,
                    -0.17684776,
                    -0.017325474,
                    -0.030864894,
                    0.24240533,
                    -0.21420722,
                    -0.22457197,
                ],
            ],
            np.float32,
        ),
        np.array([0.17372695], np.float32),  # f = dynamic_nodonate['first'][5]: f32[1]
        np.int32(0),  # g = dynamic_nodonate['rest'][0]: i32[]
        np.zeros((8, 3), np.float32),  # h = dynamic_nodonate['rest'][1]: f32[8,3]
        # i = dynamic_nodonate['rest'][2]: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        np.zeros((8, 8), np.float32),  # j = dynamic_nodonate['rest'][3]: f32[8,8]
        # k = dynamic_nodonate['rest'][4]: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        # l = dynamic_nodonate['rest'][5]: f32[1,8]
        np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], np.float32),
        np.array([0.0], np.float32),  # m = dynamic_nodonate['rest'][6]: f32[1]
        np.zeros((8, 3), np.float32),  # n = dynamic_nodonate['rest'][7]: f32[8,3]
        # o = dynamic_nodonate['rest'][8]: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        np.zeros((8, 8), np.float32),  # p = dynamic_nodonate['rest'][9]: f32[8,8]
        # q = dynamic_nodonate['rest'][10]: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        # r = dynamic_nodonate['rest'][11]: f32[1,8]
        np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], np.float32),
        np.array([0.0], np.float32),  # s = dynamic_nodonate['rest'][12]: f32[1]
        ARRAYS["x19"],  # t = dynamic_nodonate['rest'][13]: f32[16,3]
        # u = dynamic_nodonate['rest'][14]: f32[16,1]
        np.array(
            [
                [0.44340095],
                [0.4286967],
                [3.0926218],
                [1.9914705],
                [7.0059323],
                [0.9324792],
                [1.272795],
                [2.4332654],
                [1.3778877],
                [1.1075765],
                [1.0884359],
                [0.46488222],
                [1.0589092],
                [6.1075478],
                [2.4917648],
                [6.066984],
            ],
            np.float32,
        ),
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u):
    # static: static = (((<function step>,), PyTreeDef(*)), ((None, None, None, None, None, None, <PjitFunction of <function softplus>>, <function <lambda>>), PyTreeDef(CustomNode(MLP[(Missing, True, True, 3, 1, 8, 2, False...
    v = lax.dot_general(  # f32[8,16]  _linear.py:97
        a, t, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    w = lax.transpose(v, (1, 0))  # f32[16,8]  _linear.py:99
    x = lax.broadcast_in_dim(b, (1, 8), (1,))  # f32[1,8]  _linear.py:99
    y = lax.add(w, x)  # f32[16,8]  _linear.py:99
    z, aa, ab = softplus(y)  # f32[16,8], f32[16,8], f32[16,8]  _mlp.py:25
    ac = lax.dot_general(  # f32[8,16]  _linear.py:97
        c, z, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    ad = lax.transpose(ac, (1, 0))  # f32[16,8]  _linear.py:99
    ae = lax.broadcast_in_dim(d, (1, 8), (1,))  # f32[1,8]  _linear.py:99
    af = lax.add(ad, ae)  # f32[16,8]  _linear.py:99
    ag, ah, ai = softplus(af)  # f32[16,8], f32[16,8], f32[16,8]  _mlp.py:25
    aj = lax.dot_general(  # f32[1,16]  _linear.py:97
        e, ag, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    ak = lax.transpose(aj, (1, 0))  # f32[16,1]  _linear.py:99
    al = lax.broadcast_in_dim(f, (1, 1), (1,))  # f32[1,1]  _linear.py:99
    am = lax.add(ak, al)  # f32[16,1]  _linear.py:99
    an = lax.sub(am, u)  # f32[16,1]  equinox_mlp.py:18
    ao = lax.integer_pow(an, 2)  # f32[16,1]  equinox_mlp.py:18
    ap = lax.mul(np.float32(2.0), an)  # f32[16,1]  equinox_mlp.py:18
    aq = lax.reduce_sum(ao, axes=(0, 1))  # f32[]  equinox_mlp.py:18
    ar = lax.div(aq, np.float32(16.0))  # f32[]  equinox_mlp.py:18
    at = lax.div(np.float32(1.0), np.float32(16.0))  # f32[]  equinox_mlp.py:18
    au = lax.broadcast_in_dim(at, (16, 1), ())  # f32[16,1]  equinox_mlp.py:18
    av = lax.mul(au, ap)  # f32[16,1]  equinox_mlp.py:18
    aw = lax.reduce_sum(av, axes=(0,))  # f32[1]  _linear.py:99
    ax = lax.reshape(aw, (1, 1))  # f32[1,1]  _linear.py:99
    ay = lax.reduce_sum(ax, axes=(0, 1))  # f32[]  _linear.py:99
    az = lax.broadcast_in_dim(ay, (1,), ())  # f32[1]  _linear.py:99
    ba = lax.transpose(av, (1, 0))  # f32[1,16]  _linear.py:99
    bb = lax.dot_general(  # f32[16,8]  _linear.py:97
        ba, e, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bc = lax.dot_general(  # f32[1,8]  _linear.py:97
        ba, ag, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bd = softplus_2(ah, ai, bb)  # f32[16,8]  _mlp.py:25
    be = lax.reduce_sum(bd, axes=(0,))  # f32[8]  _linear.py:99
    bf = lax.reshape(be, (1, 8))  # f32[1,8]  _linear.py:99
    bg = lax.reduce_sum(bf, axes=(0,))  # f32[8]  _linear.py:99
    bh = lax.transpose(bd, (1, 0))  # f32[8,16]  _linear.py:99
    bi = lax.dot_general(  # f32[16,8]  _linear.py:97
        bh, c, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bj = lax.dot_general(  # f32[8,8]  _linear.py:97
        bh, z, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bk = softplus_2(aa, ab, bi)  # f32[16,8]  _mlp.py:25
    bl = lax.reduce_sum(bk, axes=(0,))  # f32[8]  _linear.py:99
    bm = lax.reshape(bl, (1, 8))  # f32[1,8]  _linear.py:99
    bn = lax.reduce_sum(bm, axes=(0,))  # f32[8]  _linear.py:99
    bo = lax.transpose(bk, (1, 0))  # f32[8,16]  _linear.py:99
    bp = lax.dot_general(  # f32[8,3]  _linear.py:97
        bo, t, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bq = lax.integer_pow(bp, 1)  # f32[8,3]  _tree_math.py:398
    br = lax.mul(np.float32(0.1), bq)  # f32[8,3]  _tree_math.py:398
    bs = lax.mul(np.float32(0.9), h)  # f32[8,3]  _tree_math.py:398
    bt = lax.add(br, bs)  # f32[8,3]  _tree_math.py:398
    bu = lax.integer_pow(bn, 1)  # f32[8]  _tree_math.py:398
    bv = lax.mul(np.float32(0.1), bu)  # f32[8]  _tree_math.py:398
    bw = lax.mul(np.float32(0.9), i)  # f32[8]  _tree_math.py:398
    bx = lax.add(bv, bw)  # f32[8]  _tree_math.py:398
    by = lax.integer_pow(bj, 1)  # f32[8,8]  _tree_math.py:398
    bz = lax.mul(np.float32(0.1), by)  # f32[8,8]  _tree_math.py:398
    ca = lax.mul(np.float32(0.9), j)  # f32[8,8]  _tree_math.py:398
    cb = lax.add(bz, ca)  # f32[8,8]  _tree_math.py:398
    cc = lax.integer_pow(bg, 1)  # f32[8]  _tree_math.py:398
    cd = lax.mul(np.float32(0.1), cc)  # f32[8]  _tree_math.py:398
    ce = lax.mul(np.float32(0.9), k)  # f32[8]  _tree_math.py:398
    cf = lax.add(cd, ce)  # f32[8]  _tree_math.py:398
    cg = lax.integer_pow(bc, 1)  # f32[1,8]  _tree_math.py:398
    ch = lax.mul(np.float32(0.1), cg)  # f32[1,8]  _tree_math.py:398
    ci = lax.mul(np.float32(0.9), l)  # f32[1,8]  _tree_math.py:398
    cj = lax.add(ch, ci)  # f32[1,8]  _tree_math.py:398
    ck = lax.integer_pow(az, 1)  # f32[1]  _tree_math.py:398
    cl = lax.mul(np.float32(0.1), ck)  # f32[1]  _tree_math.py:398
    cm = lax.mul(np.float32(0.9), m)  # f32[1]  _tree_math.py:398
    cn = lax.add(cl, cm)  # f32[1]  _tree_math.py:398
    co = lax.integer_pow(bp, 2)  # f32[8,3]  _tree_math.py:423
    cp = lax.mul(np.float32(0.001), co)  # f32[8,3]  _tree_math.py:433
    cq = lax.mul(np.float32(0.999), n)  # f32[8,3]  _tree_math.py:433
    cr = lax.add(cp, cq)  # f32[8,3]  _tree_math.py:433
    cs = lax.integer_pow(bn, 2)  # f32[8]  _tree_math.py:423
    ct = lax.mul(np.float32(0.001), cs)  # f32[8]  _tree_math.py:433
    cu = lax.mul(np.float32(0.999), o)  # f32[8]  _tree_math.py:433
    cv = lax.add(ct, cu)  # f32[8]  _tree_math.py:433
    cw = lax.integer_pow(bj, 2)  # f32[8,8]  _tree_math.py:423
    cx = lax.mul(np.float32(0.001), cw)  # f32[8,8]  _tree_math.py:433
    cy = lax.mul(np.float32(0.999), p)  # f32[8,8]  _tree_math.py:433
    cz = lax.add(cx, cy)  # f32[8,8]  _tree_math.py:433
    da = lax.integer_pow(bg, 2)  # f32[8]  _tree_math.py:423
    db = lax.mul(np.float32(0.001), da)  # f32[8]  _tree_math.py:433
    dc = lax.mul(np.float32(0.999), q)  # f32[8]  _tree_math.py:433
    dd = lax.add(db, dc)  # f32[8]  _tree_math.py:433
    de = lax.integer_pow(bc, 2)  # f32[1,8]  _tree_math.py:423
    df = lax.mul(np.float32(0.001), de)  # f32[1,8]  _tree_math.py:433
    dg = lax.mul(np.float32(0.999), r)  # f32[1,8]  _tree_math.py:433
    dh = lax.add(df, dg)  # f32[1,8]  _tree_math.py:433
    di = lax.integer_pow(az, 2)  # f32[1]  _tree_math.py:423
    dj = lax.mul(np.float32(0.001), di)  # f32[1]  _tree_math.py:433
    dk = lax.mul(np.float32(0.999), s)  # f32[1]  _tree_math.py:433
    dl = lax.add(dj, dk)  # f32[1]  _tree_math.py:433
    dm = lax.lt(g, np.int32(2147483647))  # bool[]  numerics.py:143
    dn = lax.add(g, np.int32(1))  # i32[]  numerics.py:143
    do = where(dm, dn, np.int32(2147483647))  # i32[]  numerics.py:143
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:294
        do, new_dtype=f32, sharding=None, weak_type=True
    )
    dp = lax.pow(0.9, do)  # f32[]  transform.py:294
    dq = lax.sub(np.float32(1.0), dp)  # f32[]  transform.py:294
    dr = lax.div(bt, dq)  # f32[8,3]  transform.py:294
    ds = lax.div(bx, dq)  # f32[8]  transform.py:294
    dt = lax.div(cb, dq)  # f32[8,8]  transform.py:294
    du = lax.div(cf, dq)  # f32[8]  transform.py:294
    dv = lax.div(cj, dq)  # f32[1,8]  transform.py:294
    dw = lax.div(cn, dq)  # f32[1]  transform.py:294
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:298
        do, new_dtype=f32, sharding=None, weak_type=True
    )
    dx = lax.pow(0.999, do)  # f32[]  transform.py:298
    dy = lax.sub(np.float32(1.0), dx)  # f32[]  transform.py:298
    dz = lax.div(cr, dy)  # f32[8,3]  transform.py:298
    ea = lax.div(cv, dy)  # f32[8]  transform.py:298
    eb = lax.div(cz, dy)  # f32[8,8]  transform.py:298
    ec = lax.div(dd, dy)  # f32[8]  transform.py:298
    ed = lax.div(dh, dy)  # f32[1,8]  transform.py:298
    ee = lax.div(dl, dy)  # f32[1]  transform.py:298
    ef = lax.add(dz, np.float32(0.0))  # f32[8,3]  transform.py:300
    eg = lax.sqrt(ef)  # f32[8,3]  transform.py:300
    eh = lax.add(eg, np.float32(1e-08))  # f32[8,3]  transform.py:300
    ei = lax.div(dr, eh)  # f32[8,3]  transform.py:300
    ej = lax.add(ea, np.float32(0.0))  # f32[8]  transform.py:300
    ek = lax.sqrt(ej)  # f32[8]  transform.py:300
    el = lax.add(ek, np.float32(1e-08))  # f32[8]  transform.py:300
    em = lax.div(ds, el)  # f32[8]  transform.py:300
    en = lax.add(eb, np.float32(0.0))  # f32[8,8]  transform.py:300
    eo = lax.sqrt(en)  # f32[8,8]  transform.py:300
    ep = lax.add(eo, np.float32(1e-08))  # f32[8,8]  transform.py:300
    eq = lax.div(dt, ep)  # f32[8,8]  transform.py:300
    er = lax.add(ec, np.float32(0.0))  # f32[8]  transform.py:300
    es = lax.sqrt(er)  # f32[8]  transform.py:300
    et = lax.add(es, np.float32(1e-08))  # f32[8]  transform.py:300
    eu = lax.div(du, et)  # f32[8]  transform.py:300
    ev = lax.add(ed, np.float32(0.0))  # f32[1,8]  transform.py:300
    ew = lax.sqrt(ev)  # f32[1,8]  transform.py:300
    ex = lax.add(ew, np.float32(1e-08))  # f32[1,8]  transform.py:300
    ey = lax.div(dv, ex)  # f32[1,8]  transform.py:300
    ez = lax.add(ee, np.float32(0.0))  # f32[1]  transform.py:300
    fa = lax.sqrt(ez)  # f32[1]  transform.py:300
    fb = lax.add(fa, np.float32(1e-08))  # f32[1]  transform.py:300
    fc = lax.div(dw, fb)  # f32[1]  transform.py:300
    fd = lax.mul(np.float32(-0.01), ei)  # f32[8,3]  transform.py:507
    fe = lax.mul(np.float32(-0.01), em)  # f32[8]  transform.py:507
    ff = lax.mul(np.float32(-0.01), eq)  # f32[8,8]  transform.py:507
    fg = lax.mul(np.float32(-0.01), eu)  # f32[8]  transform.py:507
    fh = lax.mul(np.float32(-0.01), ey)  # f32[1,8]  transform.py:507
    fi = lax.mul(np.float32(-0.01), fc)  # f32[1]  transform.py:507
    fj = lax.add(a, fd)  # f32[8,3]  _update.py:9
    fk = lax.add(b, fe)  # f32[8]  _update.py:9
    fl = lax.add(c, ff)  # f32[8,8]  _update.py:9
    fm = lax.add(d, fg)  # f32[8]  _update.py:9
    fn = lax.add(e, fh)  # f32[1,8]  _update.py:9
    fo = lax.add(f, fi)  # f32[1]  _update.py:9
    # result[0], result[1][0].layers[0].weight, result[1][0].layers[0].bias, result[1][0].layers[1].weight,
    # result[1][0].layers[1].bias, result[1][0].layers[2].weight, result[1][0].layers[2].bias,
    # result[1][1][0].count, result[1][1][0].mu.layers[0].weight, result[1][1][0].mu.layers[0].bias,
    # result[1][1][0].mu.layers[1].weight, result[1][1][0].mu.layers[1].bias, result[1][1][0].mu.layers[2].weight,
    # result[1][1][0].mu.layers[2].bias, result[1][1][0].nu.layers[0].weight, result[1][1][0].nu.layers[0].bias,
    # result[1][1][0].nu.layers[1].weight, result[1][1][0].nu.layers[1].bias, result[1][1][0].nu.layers[2].weight,
    # result[1][1][0].nu.layers[2].bias, result[1][2]
    return 0, fj, fk, fl, fm, fn, fo, do, bt, bx, cb, cf, cj, cn, cr, cv, cz, dd, dh, dl, ar


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
