# /// jace-repro
# schema = 1
# name = "improve"
# origin = "scripts/libraries/gymnax_cartpole.py:24 (improve)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "c8a737598e43543318003bc8bfbf77921f8bcb51474f79ac8fd5deffa6d93b9f"
# outputs_sha256 = "d4d14f36ef602bf1295dd3b9dd7219887951e994f93035bf09fe365f3a152aa3"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""improve (gymnax_cartpole.py:24): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(6, 4))  # u32[6,4]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[6,4]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[6,4]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[6,4]
    j = lax.sub(i, np.float32(1.0))  # f32[6,4]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[6,4]
    m = lax.add(l, d)  # f32[6,4]
    n = lax.max(d, m)  # f32[6,4]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[6,4]
    c = lax.erf_inv(b)  # f32[6,4]
    d = lax.mul(np.float32(1.4142135), c)  # f32[6,4]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[6,4]
    return b


@jit("_uniform")
def uniform_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = lax.broadcast_in_dim(e, (1,), ())  # f32[1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(4,))  # u32[6,4]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[6,4]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[6,4]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[6,4]
    l = lax.sub(k, np.float32(1.0))  # f32[6,4]
    m = lax.sub(g, f)  # f32[1]
    n = lax.broadcast_in_dim(m, (1, 1), (1,))  # f32[1,1]
    o = lax.mul(l, n)  # f32[6,4]
    p = lax.broadcast_in_dim(f, (1, 1), (1,))  # f32[1,1]
    q = lax.add(o, p)  # f32[6,4]
    r = lax.broadcast_in_dim(f, (1, 1), (1,))  # f32[1,1]
    s = lax.max(r, q)  # f32[6,4]
    return s


@jax.jit
def reset(a, b, c, d, e, f, g, h, i, j, k, l):
    m = uniform_2(a, -0.05, 0.05)  # f32[6,4]  cartpole.py:105
    n = lax.slice(m, (0, 0), (6, 1))  # f32[6,1]  cartpole.py:107
    o = lax.squeeze(n, (1,))  # f32[6]  cartpole.py:107
    p = lax.slice(m, (0, 1), (6, 2))  # f32[6,1]  cartpole.py:108
    q = lax.squeeze(p, (1,))  # f32[6]  cartpole.py:108
    r = lax.slice(m, (0, 2), (6, 3))  # f32[6,1]  cartpole.py:109
    s = lax.squeeze(r, (1,))  # f32[6]  cartpole.py:109
    t = lax.slice(m, (0, 3), (6, 4))  # f32[6,1]  cartpole.py:110
    u = lax.squeeze(t, (1,))  # f32[6]  cartpole.py:110
    v = lax.broadcast_in_dim(o, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    w = lax.broadcast_in_dim(q, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    x = lax.broadcast_in_dim(s, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    y = lax.broadcast_in_dim(u, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    z = lax.concatenate([v, w, x, y], 1)  # f32[6,4]  cartpole.py:117
    return z, 0, o, q, s, u


@jax.jit
def step(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r):
    s = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[6,2]  environment.py:76
    t = lax.slice(s, (0, 0), (6, 1), (1, 1))  # key<fry>[6,1]  environment.py:76
    _ = lax.squeeze(t, (1,))  # key<fry>[6]  environment.py:76
    u = lax.slice(s, (0, 1), (6, 2), (1, 1))  # key<fry>[6,1]  environment.py:76
    v = lax.squeeze(u, (1,))  # key<fry>[6]  environment.py:76
    w = lax.neg(r)  # f32[] weak  cartpole.py:123
    x = lax.convert_element_type(w, f32)  # f32[]  cartpole.py:123
    y = lax.lt(c, x)  # bool[6]  cartpole.py:123
    z = lax.convert_element_type(r, f32)  # f32[]  cartpole.py:124
    aa = lax.gt(c, z)  # bool[6]  cartpole.py:124
    ab = lax.bitwise_or(y, aa)  # bool[6]  cartpole.py:122
    ac = lax.neg(q)  # f32[] weak  cartpole.py:127
    ad = lax.convert_element_type(ac, f32)  # f32[]  cartpole.py:127
    ae = lax.lt(e, ad)  # bool[6]  cartpole.py:127
    af = lax.convert_element_type(q, f32)  # f32[]  cartpole.py:128
    ag = lax.gt(e, af)  # bool[6]  cartpole.py:128
    ah = lax.bitwise_or(ae, ag)  # bool[6]  cartpole.py:126
    ai = lax.bitwise_or(ab, ah)  # bool[6]  cartpole.py:131
    aj = lax.convert_element_type_p.bind(  # f32[6] weak  cartpole.py:61
        g, new_dtype=f32, sharding=None, weak_type=True
    )
    ak = lax.mul(o, aj)  # f32[6] weak  cartpole.py:61
    al = lax.sub(np.int32(1), g)  # i32[6]  cartpole.py:61
    am = lax.convert_element_type_p.bind(  # f32[6] weak  cartpole.py:61
        al, new_dtype=f32, sharding=None, weak_type=True
    )
    an = lax.mul(o, am)  # f32[6] weak  cartpole.py:61
    ao = lax.sub(ak, an)  # f32[6] weak  cartpole.py:61
    ap = lax.cos(e)  # f32[6]  cartpole.py:62
    aq = lax.sin(e)  # f32[6]  cartpole.py:63
    ar = lax.integer_pow(f, 2)  # f32[6]  cartpole.py:66
    at = lax.convert_element_type(n, f32)  # f32[]  cartpole.py:66
    au = lax.mul(at, ar)  # f32[6]  cartpole.py:66
    av = lax.mul(au, aq)  # f32[6]  cartpole.py:66
    aw = lax.convert_element_type(ao, f32)  # f32[6]  cartpole.py:66
    ax = lax.add(aw, av)  # f32[6]  cartpole.py:66
    ay = lax.convert_element_type(l, f32)  # f32[]  cartpole.py:65
    az = lax.div(ax, ay)  # f32[6]  cartpole.py:65
    ba = lax.convert_element_type(i, f32)  # f32[]  cartpole.py:68
    bb = lax.mul(ba, aq)  # f32[6]  cartpole.py:68
    bc = lax.mul(ap, az)  # f32[6]  cartpole.py:68
    bd = lax.sub(bb, bc)  # f32[6]  cartpole.py:68
    be = lax.integer_pow(ap, 2)  # f32[6]  cartpole.py:70
    bf = lax.convert_element_type(k, f32)  # f32[]  cartpole.py:70
    bg = lax.mul(bf, be)  # f32[6]  cartpole.py:70
    bh = lax.convert_element_type(l, f32)  # f32[]  cartpole.py:70
    bi = lax.div(bg, bh)  # f32[6]  cartpole.py:70
    bj = lax.sub(np.float32(1.3333334), bi)  # f32[6]  cartpole.py:70
    bk = lax.convert_element_type(m, f32)  # f32[]  cartpole.py:69
    bl = lax.mul(bk, bj)  # f32[6]  cartpole.py:69
    bm = lax.div(bd, bl)  # f32[6]  cartpole.py:68
    bn = lax.convert_element_type(n, f32)  # f32[]  cartpole.py:72
    bo = lax.mul(bn, bm)  # f32[6]  cartpole.py:72
    bp = lax.mul(bo, ap)  # f32[6]  cartpole.py:72
    bq = lax.convert_element_type(l, f32)  # f32[]  cartpole.py:72
    br = lax.div(bp, bq)  # f32[6]  cartpole.py:72
    bs = lax.sub(az, br)  # f32[6]  cartpole.py:72
    bt = lax.convert_element_type(p, f32)  # f32[]  cartpole.py:75
    bu = lax.mul(bt, d)  # f32[6]  cartpole.py:75
    bv = lax.add(c, bu)  # f32[6]  cartpole.py:75
    bw = lax.convert_element_type(p, f32)  # f32[]  cartpole.py:76
    bx = lax.mul(bw, bs)  # f32[6]  cartpole.py:76
    by = lax.add(d, bx)  # f32[6]  cartpole.py:76
    bz = lax.convert_element_type(p, f32)  # f32[]  cartpole.py:77
    ca = lax.mul(bz, f)  # f32[6]  cartpole.py:77
    cb = lax.add(e, ca)  # f32[6]  cartpole.py:77
    cc = lax.convert_element_type(p, f32)  # f32[]  cartpole.py:78
    cd = lax.mul(cc, bm)  # f32[6]  cartpole.py:78
    ce = lax.add(f, cd)  # f32[6]  cartpole.py:78
    cf = lax.convert_element_type_p.bind(  # f32[6] weak  cartpole.py:81
        ai, new_dtype=f32, sharding=None, weak_type=True
    )
    cg = lax.sub(1.0, cf)  # f32[6] weak  cartpole.py:81
    ch = lax.add(b, 1)  # i32[6] weak  cartpole.py:89
    ci = lax.neg(r)  # f32[] weak  cartpole.py:123
    cj = lax.convert_element_type(ci, f32)  # f32[]  cartpole.py:123
    ck = lax.lt(bv, cj)  # bool[6]  cartpole.py:123
    cl = lax.convert_element_type(r, f32)  # f32[]  cartpole.py:124
    cm = lax.gt(bv, cl)  # bool[6]  cartpole.py:124
    cn = lax.bitwise_or(ck, cm)  # bool[6]  cartpole.py:122
    co = lax.neg(q)  # f32[] weak  cartpole.py:127
    cp = lax.convert_element_type(co, f32)  # f32[]  cartpole.py:127
    cq = lax.lt(cb, cp)  # bool[6]  cartpole.py:127
    cr = lax.convert_element_type(q, f32)  # f32[]  cartpole.py:128
    cs = lax.gt(cb, cr)  # bool[6]  cartpole.py:128
    ct = lax.bitwise_or(cq, cs)  # bool[6]  cartpole.py:126
    cu = lax.bitwise_or(cn, ct)  # bool[6]  cartpole.py:131
    cv = lax.broadcast_in_dim(bv, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    cw = lax.broadcast_in_dim(by, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    cx = lax.broadcast_in_dim(cb, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    cy = lax.broadcast_in_dim(ce, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    cz = lax.concatenate([cv, cw, cx, cy], 1)  # f32[6,4]  cartpole.py:117
    da = lax.stop_gradient_p.bind(cz)  # f32[6,4]  cartpole.py:94
    db = lax.stop_gradient_p.bind(ch)  # i32[6] weak  cartpole.py:95
    dc = lax.stop_gradient_p.bind(bv)  # f32[6]  cartpole.py:95
    dd = lax.stop_gradient_p.bind(by)  # f32[6]  cartpole.py:95
    de = lax.stop_gradient_p.bind(cb)  # f32[6]  cartpole.py:95
    df = lax.stop_gradient_p.bind(ce)  # f32[6]  cartpole.py:95
    dg = lax.copy_p.bind(cg)  # f32[6] weak  cartpole.py:96
    dh = lax.neg(r)  # f32[] weak  cartpole.py:123
    di = lax.convert_element_type(dh, f32)  # f32[]  cartpole.py:123
    dj = lax.lt(bv, di)  # bool[6]  cartpole.py:123
    dk = lax.convert_element_type(r, f32)  # f32[]  cartpole.py:124
    dl = lax.gt(bv, dk)  # bool[6]  cartpole.py:124
    dm = lax.bitwise_or(dj, dl)  # bool[6]  cartpole.py:122
    dn = lax.neg(q)  # f32[] weak  cartpole.py:127
    do = lax.convert_element_type(dn, f32)  # f32[]  cartpole.py:127
    dp = lax.lt(cb, do)  # bool[6]  cartpole.py:127
    dq = lax.convert_element_type(q, f32)  # f32[]  cartpole.py:128
    dr = lax.gt(cb, dq)  # bool[6]  cartpole.py:128
    ds = lax.bitwise_or(dp, dr)  # bool[6]  cartpole.py:126
    dt = lax.bitwise_or(dm, ds)  # bool[6]  cartpole.py:131
    du = lax.broadcast_in_dim(1.0, (6,), ())  # f32[6] weak  environment.py:164
    dv = lax.broadcast_in_dim(0.0, (6,), ())  # f32[6] weak  environment.py:164
    dw = lax.select_n(dt, du, dv)  # f32[6] weak  environment.py:164
    dx = lax.ge(db, h)  # bool[6] weak  environment.py:152
    dy = lax.convert_element_type(dx, bool_)  # bool[6]  environment.py:81
    dz = lax.bitwise_or(cu, dy)  # bool[6]  environment.py:81
    ea = uniform_2(v, -0.05, 0.05)  # f32[6,4]  cartpole.py:105
    eb = lax.slice(ea, (0, 0), (6, 1))  # f32[6,1]  cartpole.py:107
    ec = lax.squeeze(eb, (1,))  # f32[6]  cartpole.py:107
    ed = lax.slice(ea, (0, 1), (6, 2))  # f32[6,1]  cartpole.py:108
    ee = lax.squeeze(ed, (1,))  # f32[6]  cartpole.py:108
    ef = lax.slice(ea, (0, 2), (6, 3))  # f32[6,1]  cartpole.py:109
    eg = lax.squeeze(ef, (1,))  # f32[6]  cartpole.py:109
    eh = lax.slice(ea, (0, 3), (6, 4))  # f32[6,1]  cartpole.py:110
    ei = lax.squeeze(eh, (1,))  # f32[6]  cartpole.py:110
    ej = lax.broadcast_in_dim(ec, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    ek = lax.broadcast_in_dim(ee, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    el = lax.broadcast_in_dim(eg, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    em = lax.broadcast_in_dim(ei, (6, 1), (0,))  # f32[6,1]  cartpole.py:117
    en = lax.concatenate([ej, ek, el, em], 1)  # f32[6,4]  cartpole.py:117
    eo = lax.broadcast_in_dim(0, (6,), ())  # i32[6] weak  environment.py:86
    ep = lax.select_n(dz, db, eo)  # i32[6] weak  environment.py:86
    eq = lax.select_n(dz, dc, ec)  # f32[6]  environment.py:86
    er = lax.select_n(dz, dd, ee)  # f32[6]  environment.py:86
    es = lax.select_n(dz, de, eg)  # f32[6]  environment.py:86
    et = lax.select_n(dz, df, ei)  # f32[6]  environment.py:86
    eu = lax.broadcast_in_dim(dz, (6, 4), (0,))  # bool[6,4]  environment.py:89
    ev = lax.select_n(eu, da, en)  # f32[6,4]  environment.py:89
    return ev, ep, eq, er, es, et, dg, cu, dx, dw, da, cu, dx


def body(a, carry, i):
    b, c, d, e, f, g, h = carry
    j = lax.dot_general(  # f32[6]  gymnax_cartpole.py:17
        b, a, (((1,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    k = lax.gt(j, np.float32(0.0))  # bool[6]  gymnax_cartpole.py:17
    l = lax.convert_element_type(k, i32)  # i32[6]  gymnax_cartpole.py:17
    # f32[6,4], i32[6] weak, f32[6], f32[6], f32[6], f32[6], f32[6] weak, bool[6], bool[6] weak, f32[6] weak, f32[6,4], bool[6], bool[6] weak  gymnax_cartpole.py:18
    m, n, o, p, q, r, s, t, _, _, _, _, _ = step(
        i, c, d, e, f, g, l, 500, 9.8, 1.0, 0.1, 1.1, 0.5, 0.05, 10.0, 0.02, 0.20943951023931953, 2.4
    )
    u = lax.convert_element_type_p.bind(  # i32[6] weak  gymnax_cartpole.py:19
        t, new_dtype=i32, sharding=None, weak_type=True
    )
    v = lax.sub(1, u)  # i32[6] weak  gymnax_cartpole.py:19
    w = lax.convert_element_type_p.bind(  # f32[6] weak  gymnax_cartpole.py:19
        v, new_dtype=f32, sharding=None, weak_type=True
    )
    x = lax.mul(h, w)  # f32[6] weak  gymnax_cartpole.py:19
    y = lax.mul(s, h)  # f32[6] weak  gymnax_cartpole.py:19
    return (m, n, o, p, q, r, x), y


@jax.jit
def episode(a, b):
    c = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[6,2]  gymnax_cartpole.py:12
    d = lax.slice(c, (0, 0), (6, 1), (1, 1))  # key<fry>[6,1]  gymnax_cartpole.py:12
    e = lax.squeeze(d, (1,))  # key<fry>[6]  gymnax_cartpole.py:12
    f = lax.slice(c, (0, 1), (6, 2), (1, 1))  # key<fry>[6,1]  gymnax_cartpole.py:12
    g = lax.squeeze(f, (1,))  # key<fry>[6]  gymnax_cartpole.py:12
    h, i, j, k, l, m = reset(  # f32[6,4], i32[] weak, f32[6], f32[6], f32[6], f32[6]  gymnax_cartpole.py:13
        e, 500, 9.8, 1.0, 0.1, 1.1, 0.5, 0.05, 10.0, 0.02, 0.20943951023931953, 2.4
    )
    n = primitives.random_split_p.bind(g, shape=(10,))  # key<fry>[6,10]  gymnax_cartpole.py:21
    o = lax.broadcast_in_dim(i, (6,), ())  # i32[6] weak  gymnax_cartpole.py:21
    p = lax.broadcast_in_dim(1.0, (6,), ())  # f32[6] weak  gymnax_cartpole.py:21
    q = lax.transpose(n, (1, 0))  # key<fry>[10,6]  gymnax_cartpole.py:21
    # f32[6,4], i32[6] weak, f32[6], f32[6], f32[6], f32[6], f32[6] weak, f32[10,6] weak  gymnax_cartpole.py:21
    (_, _, _, _, _, _, _), r = lax.scan(
        functools.partial(body, b), (h, o, j, k, l, m, p), q
    )
    s = lax.convert_element_type(r, f32)  # f32[10,6]  gymnax_cartpole.py:21
    t = lax.reduce_sum(s, axes=(0,))  # f32[6]  gymnax_cartpole.py:21
    return t


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # b = mean: f32[4]
    ]


def repro(a, b):
    c = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]  gymnax_cartpole.py:26
    d = lax.slice(c, (0,), (1,), (1,))  # key<fry>[1]  gymnax_cartpole.py:26
    e = lax.squeeze(d, (0,))  # key<fry>[]  gymnax_cartpole.py:26
    f = lax.slice(c, (1,), (2,), (1,))  # key<fry>[1]  gymnax_cartpole.py:26
    g = lax.squeeze(f, (0,))  # key<fry>[]  gymnax_cartpole.py:26
    h = normal(e)  # f32[6,4]  gymnax_cartpole.py:27
    i = lax.broadcast_in_dim(b, (1, 4), (1,))  # f32[1,4]  gymnax_cartpole.py:27
    j = lax.add(i, h)  # f32[6,4]  gymnax_cartpole.py:27
    k = primitives.random_split_p.bind(g, shape=(6,))  # key<fry>[6]  gymnax_cartpole.py:28
    l = episode(k, j)  # f32[6]  gymnax_cartpole.py:28
    m = lax.reduce_max(l, axes=(0,))  # f32[]  gymnax_cartpole.py:29
    n = lax.max(np.float32(-np.inf), m)  # f32[]  gymnax_cartpole.py:29
    o = lax.broadcast_in_dim(n, (1,), ())  # f32[1]  gymnax_cartpole.py:29
    p = lax.stop_gradient_p.bind(o)  # f32[1]  gymnax_cartpole.py:29
    q = lax.sub(l, p)  # f32[6]  gymnax_cartpole.py:29
    r = lax.exp(q)  # f32[6]  gymnax_cartpole.py:29
    s = lax.reduce_sum(r, axes=(0,))  # f32[]  gymnax_cartpole.py:29
    t = lax.broadcast_in_dim(s, (1,), ())  # f32[1]  gymnax_cartpole.py:29
    u = lax.div(r, t)  # f32[6]  gymnax_cartpole.py:29
    v = lax.dot_general(  # f32[4]  gymnax_cartpole.py:29
        u, j, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    w = lax.reduce_max(l, axes=(0,))  # f32[]  gymnax_cartpole.py:29
    # result[0], result[1]
    return v, w


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
