# /// jace-repro
# schema = 1
# name = "checked_fun"
# origin = "scripts/libraries/jax_checkify.py:32 (checked_fun)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f6a6e68521f57e956aaf24a69de96520c922493cb03224fd1a334530f48992ac"
# outputs_sha256 = "693c8c3d3edc82e15b98a83dae6cee76d572d92bab01a6beb009deed95cba063"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""checked_fun (jax_checkify.py:32): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


C0 = np.array([1], np.int32)
C1 = np.array([3], np.int32)
C2 = np.array([0], np.int32)
C3 = np.array([3], np.int32)
C4 = np.array([1], np.int32)
C5 = np.array([3], np.int32)
C6 = np.array([0], np.int32)
C7 = np.array([3], np.int32)
C8 = np.array([1], np.int32)
C9 = np.array([3], np.int32)
C10 = np.array([0], np.int32)
C11 = np.array([3], np.int32)
C12 = np.array([4], np.int32)
C13 = np.array([0], np.int32)
C14 = np.array([5], np.int32)


@jax.jit
def argsort(a):
    b = lax.broadcasted_iota(i32, (3,), 0)  # i32[3]
    _, c = lax.sort_p.bind(a, b, dimension=0, is_stable=True, num_keys=1)  # bool[3], i32[3]
    return c


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]  jax_checkify.py:10
    return d


@jax.jit
def floor_divide(a, b):
    c = lax.div(a, b)  # i32[]  jax_checkify.py:10
    d = lax.sign(a)  # i32[]  jax_checkify.py:10
    e = lax.sign(b)  # i32[]  jax_checkify.py:10
    f = lax.ne(d, e)  # bool[]  jax_checkify.py:10
    g = lax.rem(a, b)  # i32[]  jax_checkify.py:10
    h = lax.ne(g, np.int32(0))  # bool[]  jax_checkify.py:10
    i = lax.bitwise_and(f, h)  # bool[]  jax_checkify.py:10
    j = lax.sub(c, np.int32(1))  # i32[]  jax_checkify.py:10
    k = where(i, j, c)  # i32[]  jax_checkify.py:10
    return k


@jax.jit
def remainder(a, b):
    c = lax.eq(b, np.int32(0))  # bool[]  jax_checkify.py:10
    d = where(c, np.int32(1), b)  # i32[]  jax_checkify.py:10
    e = lax.rem(a, d)  # i32[]  jax_checkify.py:10
    f = lax.ne(e, np.int32(0))  # bool[]  jax_checkify.py:10
    g = lax.lt(e, np.int32(0))  # bool[]  jax_checkify.py:10
    h = lax.lt(d, np.int32(0))  # bool[]  jax_checkify.py:10
    i = lax.ne(g, h)  # bool[]  jax_checkify.py:10
    j = lax.bitwise_and(i, f)  # bool[]  jax_checkify.py:10
    k = lax.add(e, d)  # i32[]  jax_checkify.py:10
    l = lax.select_n(j, e, k)  # i32[]  jax_checkify.py:10
    return l


@jax.jit
def divmod(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]  jax_checkify.py:10
    d = floor_divide(a, c)  # i32[]  jax_checkify.py:10
    e = remainder(a, c)  # i32[]  jax_checkify.py:10
    return d, e


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(b, i32)  # i32[]  jax_checkify.py:10
    e = lax.select_n(a, c, d)  # i32[]  jax_checkify.py:10
    return e


def inputs():
    return [
        np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32),  # a: f32[5]
        np.array([0, 1, 2], np.int32),  # b: i32[3]
        np.array([2.0, 1.0, 3.0], np.float32),  # c: f32[3]
    ]


def repro(a, b, c):
    d = lax.gt(c, np.float32(0.0))  # bool[3]  jax_checkify.py:9
    e = lax.bitwise_not(d)  # bool[3]  jax_checkify.py:9
    f = lax.bitwise_or(False, e)  # bool[3]  jax_checkify.py:9
    g = lax.select_n(False, 8, -1)  # i32[] weak  jax_checkify.py:9
    h = lax.broadcast_in_dim(g, (3,), ())  # i32[3] weak  jax_checkify.py:9
    i = argsort(f)  # i32[3]  jax_checkify.py:9
    j = lax.slice(i, (2,), (3,))  # i32[1]  jax_checkify.py:9
    k = lax.squeeze(j, (0,))  # i32[]  jax_checkify.py:9
    l = lax.lt(k, np.int32(0))  # bool[]  jax_checkify.py:9
    m = lax.add(k, np.int32(3))  # i32[]  jax_checkify.py:9
    n = lax.ne(m, m)  # bool[]  jax_checkify.py:9
    o = lax.reduce_or_p.bind(n, axes=())  # bool[]  jax_checkify.py:9
    p = lax.bitwise_or(False, o)  # bool[]  jax_checkify.py:9
    q = lax.select_n(False, 9, -1)  # i32[] weak  jax_checkify.py:9
    r = lax.select_n(l, k, m)  # i32[]  jax_checkify.py:9
    s = lax.dynamic_slice_p.bind(f, r, slice_sizes=(1,))  # bool[1]  jax_checkify.py:9
    t = lax.broadcast_in_dim(r, (1,), ())  # i32[1]  jax_checkify.py:9
    u = lax.lt(t, np.int32(0))  # bool[1]  jax_checkify.py:9
    v = lax.add(t, C0)  # i32[1]  jax_checkify.py:9
    w = lax.gt(v, C1)  # bool[1]  jax_checkify.py:9
    x = lax.bitwise_or(u, w)  # bool[1]  jax_checkify.py:9
    y = lax.bitwise_not(x)  # bool[1]  jax_checkify.py:9
    z = lax.argmin(y, 0, i32)  # i32[]  jax_checkify.py:9
    aa, ab = divmod(z, 1)  # i32[], i32[]  jax_checkify.py:9
    ac = lax.gt(aa, np.int32(0))  # bool[]  jax_checkify.py:9
    ad = lax.lt(aa, np.int32(-1))  # bool[]  jax_checkify.py:9
    ae = where_2(ad, 0, ab)  # i32[]  jax_checkify.py:9
    af = where_2(ac, 0, ae)  # i32[]  jax_checkify.py:9
    ag = lax.lt(af, np.int32(0))  # bool[]  jax_checkify.py:9
    ah = lax.add(af, np.int32(1))  # i32[]  jax_checkify.py:9
    ai = lax.select_n(ag, af, ah)  # i32[]  jax_checkify.py:9
    aj = lax.dynamic_slice_p.bind(C2, ai, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    ak = lax.squeeze(aj, (0,))  # i32[]  jax_checkify.py:9
    al = lax.lt(ak, np.int32(0))  # bool[]  jax_checkify.py:9
    am = lax.add(ak, np.int32(1))  # i32[]  jax_checkify.py:9
    an = lax.select_n(al, ak, am)  # i32[]  jax_checkify.py:9
    ao = lax.dynamic_slice_p.bind(C3, an, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    ap = lax.squeeze(ao, (0,))  # i32[]  jax_checkify.py:9
    aq = lax.lt(z, np.int32(0))  # bool[]  jax_checkify.py:9
    ar = lax.add(z, np.int32(1))  # i32[]  jax_checkify.py:9
    at = lax.select_n(aq, z, ar)  # i32[]  jax_checkify.py:9
    au = lax.dynamic_slice_p.bind(t, at, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    av = lax.squeeze(au, (0,))  # i32[]  jax_checkify.py:9
    aw = lax.broadcast_in_dim(av, (1,), ())  # i32[1]  jax_checkify.py:9
    ax = lax.broadcast_in_dim(ak, (1,), ())  # i32[1]  jax_checkify.py:9
    ay = lax.broadcast_in_dim(ap, (1,), ())  # i32[1]  jax_checkify.py:9
    az = lax.concatenate([aw, ax, ay], 0)  # i32[3]  jax_checkify.py:9
    ba = lax.reduce_or(x, axes=(0,))  # bool[]  jax_checkify.py:9
    bb = lax.bitwise_or(False, ba)  # bool[]  jax_checkify.py:9
    bc = lax.select_n(False, 10, -1)  # i32[] weak  jax_checkify.py:9
    bd = lax.squeeze(s, (0,))  # bool[]  jax_checkify.py:9
    be = lax.lt(k, np.int32(0))  # bool[]  jax_checkify.py:9
    bf = lax.add(k, np.int32(3))  # i32[]  jax_checkify.py:9
    bg = lax.ne(bf, bf)  # bool[]  jax_checkify.py:9
    bh = lax.reduce_or_p.bind(bg, axes=())  # bool[]  jax_checkify.py:9
    bi = lax.bitwise_or(p, bh)  # bool[]  jax_checkify.py:9
    bj = lax.select_n(p, 11, q)  # i32[] weak  jax_checkify.py:9
    bk = lax.select_n(be, k, bf)  # i32[]  jax_checkify.py:9
    bl = lax.dynamic_slice_p.bind(h, bk, slice_sizes=(1,))  # i32[1] weak  jax_checkify.py:9
    bm = lax.broadcast_in_dim(bk, (1,), ())  # i32[1]  jax_checkify.py:9
    bn = lax.lt(bm, np.int32(0))  # bool[1]  jax_checkify.py:9
    bo = lax.add(bm, C4)  # i32[1]  jax_checkify.py:9
    bp = lax.gt(bo, C5)  # bool[1]  jax_checkify.py:9
    bq = lax.bitwise_or(bn, bp)  # bool[1]  jax_checkify.py:9
    br = lax.bitwise_not(bq)  # bool[1]  jax_checkify.py:9
    bs = lax.argmin(br, 0, i32)  # i32[]  jax_checkify.py:9
    bt, bu = divmod(bs, 1)  # i32[], i32[]  jax_checkify.py:9
    bv = lax.gt(bt, np.int32(0))  # bool[]  jax_checkify.py:9
    bw = lax.lt(bt, np.int32(-1))  # bool[]  jax_checkify.py:9
    bx = where_2(bw, 0, bu)  # i32[]  jax_checkify.py:9
    by = where_2(bv, 0, bx)  # i32[]  jax_checkify.py:9
    bz = lax.lt(by, np.int32(0))  # bool[]  jax_checkify.py:9
    ca = lax.add(by, np.int32(1))  # i32[]  jax_checkify.py:9
    cb = lax.select_n(bz, by, ca)  # i32[]  jax_checkify.py:9
    cc = lax.dynamic_slice_p.bind(C6, cb, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    cd = lax.squeeze(cc, (0,))  # i32[]  jax_checkify.py:9
    ce = lax.lt(cd, np.int32(0))  # bool[]  jax_checkify.py:9
    cf = lax.add(cd, np.int32(1))  # i32[]  jax_checkify.py:9
    cg = lax.select_n(ce, cd, cf)  # i32[]  jax_checkify.py:9
    ch = lax.dynamic_slice_p.bind(C7, cg, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    ci = lax.squeeze(ch, (0,))  # i32[]  jax_checkify.py:9
    cj = lax.lt(bs, np.int32(0))  # bool[]  jax_checkify.py:9
    ck = lax.add(bs, np.int32(1))  # i32[]  jax_checkify.py:9
    cl = lax.select_n(cj, bs, ck)  # i32[]  jax_checkify.py:9
    cm = lax.dynamic_slice_p.bind(bm, cl, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    cn = lax.squeeze(cm, (0,))  # i32[]  jax_checkify.py:9
    co = lax.broadcast_in_dim(cn, (1,), ())  # i32[1]  jax_checkify.py:9
    cp = lax.broadcast_in_dim(cd, (1,), ())  # i32[1]  jax_checkify.py:9
    cq = lax.broadcast_in_dim(ci, (1,), ())  # i32[1]  jax_checkify.py:9
    cr = lax.concatenate([co, cp, cq], 0)  # i32[3]  jax_checkify.py:9
    cs = lax.reduce_or(bq, axes=(0,))  # bool[]  jax_checkify.py:9
    ct = lax.bitwise_or(bb, cs)  # bool[]  jax_checkify.py:9
    cu = lax.select_n(bb, 12, bc)  # i32[] weak  jax_checkify.py:9
    cv = lax.select_n(bb, cr, az)  # i32[3]  jax_checkify.py:9
    cw = lax.squeeze(bl, (0,))  # i32[] weak  jax_checkify.py:9
    cx = lax.lt(k, np.int32(0))  # bool[]  jax_checkify.py:9
    cy = lax.add(k, np.int32(3))  # i32[]  jax_checkify.py:9
    cz = lax.ne(cy, cy)  # bool[]  jax_checkify.py:9
    da = lax.reduce_or_p.bind(cz, axes=())  # bool[]  jax_checkify.py:9
    db = lax.bitwise_or(bi, da)  # bool[]  jax_checkify.py:9
    dc = lax.select_n(bi, 13, bj)  # i32[] weak  jax_checkify.py:9
    dd = lax.select_n(cx, k, cy)  # i32[]  jax_checkify.py:9
    de = lax.dynamic_slice_p.bind(c, dd, slice_sizes=(1,))  # f32[1]  jax_checkify.py:9
    df = lax.broadcast_in_dim(dd, (1,), ())  # i32[1]  jax_checkify.py:9
    dg = lax.lt(df, np.int32(0))  # bool[1]  jax_checkify.py:9
    dh = lax.add(df, C8)  # i32[1]  jax_checkify.py:9
    di = lax.gt(dh, C9)  # bool[1]  jax_checkify.py:9
    dj = lax.bitwise_or(dg, di)  # bool[1]  jax_checkify.py:9
    dk = lax.bitwise_not(dj)  # bool[1]  jax_checkify.py:9
    dl = lax.argmin(dk, 0, i32)  # i32[]  jax_checkify.py:9
    dm, dn = divmod(dl, 1)  # i32[], i32[]  jax_checkify.py:9
    do = lax.gt(dm, np.int32(0))  # bool[]  jax_checkify.py:9
    dp = lax.lt(dm, np.int32(-1))  # bool[]  jax_checkify.py:9
    dq = where_2(dp, 0, dn)  # i32[]  jax_checkify.py:9
    dr = where_2(do, 0, dq)  # i32[]  jax_checkify.py:9
    ds = lax.lt(dr, np.int32(0))  # bool[]  jax_checkify.py:9
    dt = lax.add(dr, np.int32(1))  # i32[]  jax_checkify.py:9
    du = lax.select_n(ds, dr, dt)  # i32[]  jax_checkify.py:9
    dv = lax.dynamic_slice_p.bind(C10, du, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    dw = lax.squeeze(dv, (0,))  # i32[]  jax_checkify.py:9
    dx = lax.lt(dw, np.int32(0))  # bool[]  jax_checkify.py:9
    dy = lax.add(dw, np.int32(1))  # i32[]  jax_checkify.py:9
    dz = lax.select_n(dx, dw, dy)  # i32[]  jax_checkify.py:9
    ea = lax.dynamic_slice_p.bind(C11, dz, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    eb = lax.squeeze(ea, (0,))  # i32[]  jax_checkify.py:9
    ec = lax.lt(dl, np.int32(0))  # bool[]  jax_checkify.py:9
    ed = lax.add(dl, np.int32(1))  # i32[]  jax_checkify.py:9
    ee = lax.select_n(ec, dl, ed)  # i32[]  jax_checkify.py:9
    ef = lax.dynamic_slice_p.bind(df, ee, slice_sizes=(1,))  # i32[1]  jax_checkify.py:9
    eg = lax.squeeze(ef, (0,))  # i32[]  jax_checkify.py:9
    eh = lax.broadcast_in_dim(eg, (1,), ())  # i32[1]  jax_checkify.py:9
    ei = lax.broadcast_in_dim(dw, (1,), ())  # i32[1]  jax_checkify.py:9
    ej = lax.broadcast_in_dim(eb, (1,), ())  # i32[1]  jax_checkify.py:9
    ek = lax.concatenate([eh, ei, ej], 0)  # i32[3]  jax_checkify.py:9
    el = lax.reduce_or(dj, axes=(0,))  # bool[]  jax_checkify.py:9
    em = lax.bitwise_or(ct, el)  # bool[]  jax_checkify.py:9
    en = lax.select_n(ct, 14, cu)  # i32[] weak  jax_checkify.py:9
    eo = lax.select_n(ct, ek, cv)  # i32[3]  jax_checkify.py:9
    ep = lax.squeeze(de, (0,))  # f32[]  jax_checkify.py:9
    eq = lax.bitwise_or(False, bd)  # bool[]  jax_checkify.py:9
    er = lax.select_n(False, cw, -1)  # i32[] weak  jax_checkify.py:9
    es = lax.lt(b, np.int32(0))  # bool[3]  jax_checkify.py:10
    et = lax.add(b, np.int32(5))  # i32[3]  jax_checkify.py:10
    eu = lax.ne(et, et)  # bool[3]  jax_checkify.py:10
    ev = lax.reduce_or(eu, axes=(0,))  # bool[]  jax_checkify.py:10
    ew = lax.bitwise_or(db, ev)  # bool[]  jax_checkify.py:10
    ex = lax.select_n(db, 15, dc)  # i32[] weak  jax_checkify.py:10
    ey = lax.select_n(es, b, et)  # i32[3]  jax_checkify.py:10
    ez = lax.broadcast_in_dim(ey, (3, 1), (0,))  # i32[3,1]  jax_checkify.py:10
    fa = lax.gather_p.bind(  # f32[3,1]  jax_checkify.py:10
        a,
        ez,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.CLIP,
        slice_sizes=(1,),
        unique_indices=False,
    )
    fb = lax.broadcast_in_dim(C12, (1, 1), (1,))  # i32[1,1]  jax_checkify.py:10
    fc = lax.lt(ez, np.int32(0))  # bool[3,1]  jax_checkify.py:10
    fd = lax.gt(ez, fb)  # bool[3,1]  jax_checkify.py:10
    fe = lax.bitwise_or(fc, fd)  # bool[3,1]  jax_checkify.py:10
    ff = lax.bitwise_not(fe)  # bool[3,1]  jax_checkify.py:10
    fg = lax.reshape(ff, (3,))  # bool[3]  jax_checkify.py:10
    fh = lax.argmin(fg, 0, i32)  # i32[]  jax_checkify.py:10
    fi, fj = divmod(fh, 1)  # i32[], i32[]  jax_checkify.py:10
    fk, fl = divmod(fi, 3)  # i32[], i32[]  jax_checkify.py:10
    fm = lax.gt(fk, np.int32(0))  # bool[]  jax_checkify.py:10
    fn = lax.lt(fk, np.int32(-1))  # bool[]  jax_checkify.py:10
    fo = where_2(fn, 0, fl)  # i32[]  jax_checkify.py:10
    _ = where_2(fm, 2, fo)  # i32[]  jax_checkify.py:10
    fp = where_2(fn, 0, fj)  # i32[]  jax_checkify.py:10
    fq = where_2(fm, 0, fp)  # i32[]  jax_checkify.py:10
    fr = lax.lt(fq, np.int32(0))  # bool[]  jax_checkify.py:10
    fs = lax.add(fq, np.int32(1))  # i32[]  jax_checkify.py:10
    ft = lax.select_n(fr, fq, fs)  # i32[]  jax_checkify.py:10
    fu = lax.dynamic_slice_p.bind(C13, ft, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    fv = lax.squeeze(fu, (0,))  # i32[]  jax_checkify.py:10
    fw = lax.lt(fv, np.int32(0))  # bool[]  jax_checkify.py:10
    fx = lax.add(fv, np.int32(1))  # i32[]  jax_checkify.py:10
    fy = lax.select_n(fw, fv, fx)  # i32[]  jax_checkify.py:10
    fz = lax.dynamic_slice_p.bind(C14, fy, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    ga = lax.squeeze(fz, (0,))  # i32[]  jax_checkify.py:10
    gb = lax.reshape(ez, (3,))  # i32[3]  jax_checkify.py:10
    gc = lax.lt(fh, np.int32(0))  # bool[]  jax_checkify.py:10
    gd = lax.add(fh, np.int32(3))  # i32[]  jax_checkify.py:10
    ge = lax.select_n(gc, fh, gd)  # i32[]  jax_checkify.py:10
    gf = lax.dynamic_slice_p.bind(gb, ge, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    gg = lax.squeeze(gf, (0,))  # i32[]  jax_checkify.py:10
    gh = lax.broadcast_in_dim(gg, (1,), ())  # i32[1]  jax_checkify.py:10
    gi = lax.broadcast_in_dim(fv, (1,), ())  # i32[1]  jax_checkify.py:10
    gj = lax.broadcast_in_dim(ga, (1,), ())  # i32[1]  jax_checkify.py:10
    gk = lax.concatenate([gh, gi, gj], 0)  # i32[3]  jax_checkify.py:10
    gl = lax.reduce_or(fe, axes=(0, 1))  # bool[]  jax_checkify.py:10
    gm = lax.bitwise_or(em, gl)  # bool[]  jax_checkify.py:10
    gn = lax.select_n(em, 16, en)  # i32[] weak  jax_checkify.py:10
    go = lax.select_n(em, gk, eo)  # i32[3]  jax_checkify.py:10
    gp = lax.squeeze(fa, (1,))  # f32[3]  jax_checkify.py:10
    gq = lax.log(c)  # f32[3]  jax_checkify.py:10
    gr = lax.ne(gq, gq)  # bool[3]  jax_checkify.py:10
    gs = lax.reduce_or(gr, axes=(0,))  # bool[]  jax_checkify.py:10
    gt = lax.bitwise_or(ew, gs)  # bool[]  jax_checkify.py:10
    gu = lax.select_n(ew, 17, ex)  # i32[] weak  jax_checkify.py:10
    gv = lax.eq(gq, np.float32(0.0))  # bool[3]  jax_checkify.py:10
    gw = lax.reduce_or(gv, axes=(0,))  # bool[]  jax_checkify.py:10
    gx = lax.bitwise_or(False, gw)  # bool[]  jax_checkify.py:10
    gy = lax.select_n(False, 18, -1)  # i32[] weak  jax_checkify.py:10
    gz = lax.div(gp, gq)  # f32[3]  jax_checkify.py:10
    ha = lax.ne(gz, gz)  # bool[3]  jax_checkify.py:10
    hb = lax.reduce_or(ha, axes=(0,))  # bool[]  jax_checkify.py:10
    hc = lax.bitwise_or(gt, hb)  # bool[]  jax_checkify.py:10
    hd = lax.select_n(gt, 19, gu)  # i32[] weak  jax_checkify.py:10
    # result[0][0][ErrorEffect(error_type=<class 'jax._src.checkify.DivisionByZeroError'>, shape_dtypes=())],
    # result[0][0][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=float32),))], result[0][0][ErrorEffect(error_type=<class
    # 'jax._src.checkify.NaNError'>, shape_dtypes=())], result[0][0][ErrorEffect(error_type=<class
    # 'jax._src.checkify.OOBError'>, shape_dtypes=(ShapeDtypeStruct(shape=(3,), dtype=int32),))],
    # result[0][1][ErrorEffect(error_type=<class 'jax._src.checkify.DivisionByZeroError'>, shape_dtypes=())],
    # result[0][1][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=float32),))], result[0][1][ErrorEffect(error_type=<class
    # 'jax._src.checkify.NaNError'>, shape_dtypes=())], result[0][1][ErrorEffect(error_type=<class
    # 'jax._src.checkify.OOBError'>, shape_dtypes=(ShapeDtypeStruct(shape=(3,), dtype=int32),))],
    # result[0][2][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=float32),))][0], result[0][2][ErrorEffect(error_type=<class
    # 'jax._src.checkify.OOBError'>, shape_dtypes=(ShapeDtypeStruct(shape=(3,), dtype=int32),))][0], result[1]
    return gx, eq, hc, gm, gy, er, hd, gn, ep, go, gz


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
