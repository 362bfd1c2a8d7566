# /// jace-repro
# schema = 1
# name = "init_fn"
# origin = "simulate.py:625 (init_fn)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "53b9ff8b32e51a2f5a2c5ccc1916745d2d4addf831a369c6443c26bb3faa766c"
# outputs_sha256 = "e6680b0a2dea8b2c07c2790b52c6f9a1bae5f84257408916b73b8cd604a5d94f"
# sidecar_sha256 = "d899a24a91572f89ab98b125bd84ef76827d94a0a78a81149813e82b0e544b0b"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""init_fn (simulate.py:625): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src.prng import random_unwrap_p
from jax._src.prng import random_wrap_p
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "d899a24a91572f89ab98b125bd84ef76827d94a0a78a81149813e82b0e544b0b"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.rem(a, c)  # f32[125,2]
    e = lax.ne(d, np.float32(0.0))  # bool[125,2]
    f = lax.lt(d, np.float32(0.0))  # bool[125,2]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[125,2]
    i = lax.bitwise_and(h, e)  # bool[125,2]
    j = lax.add(d, c)  # f32[125,2]
    k = lax.select_n(i, d, j)  # f32[125,2]
    return k, i


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (125,), ())  # f32[125]
    f = lax.select_n(a, e, b)  # f32[125]
    g = lax.broadcast_in_dim(np.float32(0.0), (125,), ())  # f32[125]
    return f, g


@jax.jit
def safe_mask(a, b):
    c, d = where(a, b, 0)  # f32[125], f32[125]  util.py:86
    e = lax.sqrt(c)  # f32[125]  util.py:87
    f = lax.div(np.float32(0.5), e)  # f32[125]  util.py:87
    g, h = where(a, e, 0)  # f32[125], f32[125]  util.py:87
    return g, d, f, h


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (125,), ())  # f32[125]
    f = lax.select_n(a, c, e)  # f32[125]
    g = lax.broadcast_in_dim(np.float32(0.0), (125,), ())  # f32[125]
    return f, g


@jit("_where")
def where_3(a, b, c):
    d = lax.broadcast_in_dim(b, (125,), ())  # f32[125]
    e = lax.select_n(a, c, d)  # f32[125]
    f = lax.broadcast_in_dim(np.float32(0.0), (125,), ())  # f32[125]
    return e, f


@jax.jit
def nan_to_num(a):
    b = lax.ne(a, a)  # bool[125]
    c, d = where_3(b, np.float32(0.0), a)  # f32[125], f32[125]
    e = lax.eq(c, np.float32(np.inf))  # bool[125]
    f, g = where_3(e, np.float32(3.4028235e38), c)  # f32[125], f32[125]
    h = lax.eq(f, np.float32(-np.inf))  # bool[125]
    i, j = where_3(h, np.float32(-3.4028235e38), f)  # f32[125], f32[125]
    return i, b, d, e, g, h, j


@jit("_where")
def where_4(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (125,), ())  # f32[125]
    e = lax.select_n(a, c, d)  # f32[125]
    return e


@jax.jit
def nan_to_num_2(a, b, c, d, e, f, g):
    h = where_4(e, f, g)  # f32[125]
    i = where_4(c, d, h)  # f32[125]
    j = where_4(a, b, i)  # f32[125]
    return j


@jit("_where")
def where_5(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (125,), ())  # f32[125]
    e = lax.select_n(a, d, c)  # f32[125]
    return e


@jax.jit
def safe_mask_2(a, b, c, d, e):
    f = where_5(a, d, e)  # f32[125]  util.py:87
    g = lax.mul(f, c)  # f32[125]  util.py:87
    h = where_5(a, b, g)  # f32[125]  util.py:86
    return h


@jax.jit
def remainder_2(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (125, 2), ())  # f32[125,2]
    d = lax.select_n(a, b, c)  # f32[125,2]
    e = lax.select_n(a, c, b)  # f32[125,2]
    f = primitives.add_jaxvals_p.bind(d, e)  # f32[125,2]
    return f


def update(a, b):
    c = lax.add(a, b)  # f32[]  smap.py:913
    return c


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(25, 2))  # u32[25,2]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[25,2]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[25,2]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[25,2]
    j = lax.sub(i, np.float32(1.0))  # f32[25,2]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[25,2]
    m = lax.add(l, d)  # f32[25,2]
    n = lax.max(d, m)  # f32[25,2]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[25,2]
    c = lax.erf_inv(b)  # f32[25,2]
    d = lax.mul(np.float32(1.4142135), c)  # f32[25,2]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[25,2]
    return b


def update_2(a, b):
    c = lax.mul(a, b)  # f32[]
    return c


def inputs():
    return [
        np.array([0, 1], np.uint32),  # a = key: u32[2]
        ARRAYS["x1"],  # b = R: f32[25,2]
        ARRAYS["x2"],  # c = kwargs['neighbor'].idx: i32[2,125]
        ARRAYS["x3"],  # d = kwargs['neighbor'].reference_position: f32[25,2]
        np.uint8(0),  # e = kwargs['neighbor'].error.code: u8[]
    ]


def repro(a, b, c, d, e):
    f = lax.slice(c, (0, 0), (1, 125))  # i32[1,125]  smap.py:913
    g = lax.squeeze(f, (0,))  # i32[125]  smap.py:913
    h = lax.lt(g, np.int32(0))  # bool[125]  smap.py:913
    i = lax.add(g, np.int32(25))  # i32[125]  smap.py:913
    j = lax.select_n(h, g, i)  # i32[125]  smap.py:913
    k = lax.broadcast_in_dim(j, (125, 1), (0,))  # i32[125,1]  smap.py:913
    l = lax.gather_p.bind(  # f32[125,2]  smap.py:913
        b,
        k,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 2),
        unique_indices=False,
    )
    m = lax.slice(c, (1, 0), (2, 125))  # i32[1,125]  smap.py:913
    n = lax.squeeze(m, (0,))  # i32[125]  smap.py:913
    o = lax.lt(n, np.int32(0))  # bool[125]  smap.py:913
    p = lax.add(n, np.int32(25))  # i32[125]  smap.py:913
    q = lax.select_n(o, n, p)  # i32[125]  smap.py:913
    r = lax.broadcast_in_dim(q, (125, 1), (0,))  # i32[125,1]  smap.py:913
    s = lax.gather_p.bind(  # f32[125,2]  smap.py:913
        b,
        r,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 2),
        unique_indices=False,
    )
    t = lax.sub(l, s)  # f32[125,2]  space.py:193
    u = lax.mul(np.float32(6.0), np.float32(0.5))  # f32[]  space.py:207
    v = lax.add(t, u)  # f32[125,2]  space.py:207
    w, x = remainder(v, 6.0)  # f32[125,2], bool[125,2]  space.py:207
    y = lax.mul(np.float32(0.5), np.float32(6.0))  # f32[]  space.py:207
    z = lax.sub(w, y)  # f32[125,2]  space.py:207
    aa = lax.integer_pow(z, 2)  # f32[125,2]  space.py:218
    ab = lax.mul(np.float32(2.0), z)  # f32[125,2]  space.py:218
    ac = lax.reduce_sum(aa, axes=(1,))  # f32[125]  space.py:218
    ad = lax.gt(ac, np.float32(0.0))  # bool[125]  space.py:230
    ae, af, ag, ah = safe_mask(ad, ac)  # f32[125], f32[125], f32[125], f32[125]  space.py:230
    ai = lax.slice(c, (0, 0), (1, 125))  # i32[1,125]  smap.py:914
    aj = lax.squeeze(ai, (0,))  # i32[125]  smap.py:914
    ak = lax.lt(aj, np.int32(25))  # bool[125]  smap.py:914
    al = lax.pow(ae, np.float32(2.0))  # f32[125]  energy.py:561
    am = lax.sub(np.float32(2.0), np.float32(1.0))  # f32[]  energy.py:561
    an = lax.pow(ae, am)  # f32[125]  energy.py:561
    ao = lax.mul(np.float32(2.0), an)  # f32[125]  energy.py:561
    ap = lax.lt(ae, np.float32(2.0))  # bool[125]  energy.py:564
    aq = lax.sub(np.float32(4.0), al)  # f32[125]  energy.py:565
    ar = lax.integer_pow(aq, 2)  # f32[125]  energy.py:565
    at = lax.mul(np.float32(2.0), aq)  # f32[125]  energy.py:565
    au = lax.mul(np.float32(2.0), al)  # f32[125]  energy.py:565
    av = lax.add(np.float32(4.0), au)  # f32[125]  energy.py:565
    aw = lax.mul(np.float32(3.0), np.float32(2.25))  # f32[]  energy.py:565
    ax = lax.sub(av, aw)  # f32[125]  energy.py:565
    ay = lax.mul(ar, ax)  # f32[125]  energy.py:565
    az = lax.sub(np.float32(4.0), np.float32(2.25))  # f32[]  energy.py:565
    ba = lax.integer_pow(az, 3)  # f32[]  energy.py:565
    bb = lax.div(ay, ba)  # f32[125]  energy.py:565
    bc, bd = where(ap, bb, 0)  # f32[125], f32[125]  energy.py:563
    be = lax.lt(ae, np.float32(1.5))  # bool[125]  energy.py:569
    bf, bg = where_2(be, 1, bc)  # f32[125], f32[125]  energy.py:569
    bh = lax.div(np.float32(1.0), ae)  # f32[125]  energy.py:261
    bi = lax.integer_pow(ae, -2)  # f32[125]  energy.py:261
    bj = lax.mul(bh, bh)  # f32[125]  energy.py:262
    bk = lax.mul(bj, bj)  # f32[125]  energy.py:263
    bl = lax.mul(bk, bj)  # f32[125]  energy.py:263
    bm = lax.mul(bl, bl)  # f32[125]  energy.py:264
    bn = lax.mul(np.float32(4.0), np.float32(1.0))  # f32[]  energy.py:267
    bo = lax.sub(bm, bl)  # f32[125]  energy.py:267
    bp = lax.mul(bn, bo)  # f32[125]  energy.py:267
    # f32[125], bool[125], f32[125], bool[125], f32[125], bool[125], f32[125]  energy.py:267
    bq, br, bs, bt, bu, bv, bw = nan_to_num(
        bp
    )
    bx = lax.mul(bf, bq)  # f32[125]  energy.py:573
    by = lax.convert_element_type(ak, f32)  # f32[125]  smap.py:931
    bz = lax.mul(bx, by)  # f32[125]  smap.py:931
    ca = lax.reduce_sum(bz, axes=(0,))  # f32[]  util.py:104
    cb = lax.copy_p.bind(ca)  # f32[]  util.py:103
    cc = lax.div(cb, np.float32(1.0))  # f32[]  smap.py:937
    _ = lax.neg(cc)  # f32[]  quantity.py:61
    cd = lax.neg(np.float32(1.0))  # f32[]  quantity.py:61
    ce = lax.div(cd, np.float32(1.0))  # f32[]  smap.py:937
    cf = lax.copy_p.bind(ce)  # f32[]  util.py:103
    cg = lax.broadcast_in_dim(cf, (125,), ())  # f32[125]  util.py:104
    ch = lax.mul(cg, by)  # f32[125]  smap.py:931
    ci = lax.mul(bf, ch)  # f32[125]  energy.py:573
    cj = lax.mul(ch, bq)  # f32[125]  energy.py:573
    ck = nan_to_num_2(br, bs, bt, bu, bv, bw, ci)  # f32[125]  energy.py:267
    cl = lax.mul(bn, ck)  # f32[125]  energy.py:267
    cm = lax.neg(cl)  # f32[125]  energy.py:267
    cn = lax.mul(bl, cl)  # f32[125]  energy.py:264
    co = primitives.add_jaxvals_p.bind(cm, cn)  # f32[125]  energy.py:264
    cp = lax.mul(cl, bl)  # f32[125]  energy.py:264
    cq = primitives.add_jaxvals_p.bind(co, cp)  # f32[125]  energy.py:264
    cr = lax.mul(bk, cq)  # f32[125]  energy.py:263
    cs = lax.mul(cq, bj)  # f32[125]  energy.py:263
    ct = lax.mul(bj, cs)  # f32[125]  energy.py:263
    cu = primitives.add_jaxvals_p.bind(cr, ct)  # f32[125]  energy.py:263
    cv = lax.mul(cs, bj)  # f32[125]  energy.py:263
    cw = primitives.add_jaxvals_p.bind(cu, cv)  # f32[125]  energy.py:263
    cx = lax.mul(bh, cw)  # f32[125]  energy.py:262
    cy = lax.mul(cw, bh)  # f32[125]  energy.py:262
    cz = primitives.add_jaxvals_p.bind(cx, cy)  # f32[125]  energy.py:262
    da = lax.mul(cz, bi)  # f32[125]  energy.py:261
    db = lax.mul(da, np.float32(1.0))  # f32[125]  energy.py:261
    dc = lax.neg(db)  # f32[125]  energy.py:261
    dd = where_4(be, bg, cj)  # f32[125]  energy.py:569
    de = where_5(ap, bd, dd)  # f32[125]  energy.py:563
    df = lax.div(de, ba)  # f32[125]  energy.py:565
    dg = lax.mul(ar, df)  # f32[125]  energy.py:565
    dh = lax.mul(df, ax)  # f32[125]  energy.py:565
    di = lax.mul(np.float32(2.0), dg)  # f32[125]  energy.py:565
    dj = lax.mul(dh, at)  # f32[125]  energy.py:565
    dk = lax.neg(dj)  # f32[125]  energy.py:565
    dl = primitives.add_jaxvals_p.bind(di, dk)  # f32[125]  energy.py:565
    dm = lax.mul(dl, ao)  # f32[125]  energy.py:561
    dn = primitives.add_jaxvals_p.bind(dc, dm)  # f32[125]  energy.py:561
    do = safe_mask_2(ad, af, ag, ah, dn)  # f32[125]  space.py:230
    dp = lax.broadcast_in_dim(do, (125, 2), (0,))  # f32[125,2]  space.py:218
    dq = lax.mul(dp, ab)  # f32[125,2]  space.py:218
    dr = remainder_2(x, dq)  # f32[125,2]  space.py:207
    ds = lax.neg(dr)  # f32[125,2]  space.py:193
    dt = lax.broadcast_in_dim(np.float32(0.0), (25, 2), ())  # f32[25,2]  smap.py:913
    du = lax.scatter_add_p.bind(  # f32[25,2]  smap.py:913
        dt,
        r,
        ds,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    dv = lax.broadcast_in_dim(np.float32(0.0), (25, 2), ())  # f32[25,2]  smap.py:913
    dw = lax.scatter_add_p.bind(  # f32[25,2]  smap.py:913
        dv,
        k,
        dr,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    dx = primitives.add_jaxvals_p.bind(du, dw)  # f32[25,2]  smap.py:913
    dy = random_wrap_p.bind(a, impl=threefry_prng_impl)  # key<fry>[]  simulate.py:147
    dz = primitives.random_split_p.bind(dy, shape=(1,))  # key<fry>[1]  simulate.py:147
    ea = random_unwrap_p.bind(dz)  # u32[1,2]  simulate.py:147
    eb = lax.slice(ea, (0, 0), (1, 2), (1, 1))  # u32[1,2]  simulate.py:156
    ec = lax.squeeze(eb, (0,))  # u32[2]  simulate.py:156
    ed = lax.mul(np.float32(1.0), np.float32(0.5))  # f32[]  simulate.py:150
    ee = lax.sqrt(ed)  # f32[]  simulate.py:150
    ef = random_wrap_p.bind(ec, impl=threefry_prng_impl)  # key<fry>[]  simulate.py:150
    eg = normal(ef)  # f32[25,2]  simulate.py:150
    eh = lax.mul(ee, eg)  # f32[25,2]  simulate.py:150
    ei = lax.reduce_sum(eh, axes=(0,))  # f32[2]  simulate.py:153
    ej = lax.broadcast_in_dim(ei, (1, 2), (1,))  # f32[1,2]  simulate.py:153
    ek = lax.div(ej, np.float32(25.0))  # f32[1,2]  simulate.py:153
    el = lax.sub(eh, ek)  # f32[25,2]  simulate.py:153
    em = lax.integer_pow(el, 2)  # f32[25,2]  quantity.py:154
    en = lax.div(em, np.float32(1.0))  # f32[25,2]  quantity.py:154
    eo = lax.reduce_sum(en, axes=(0, 1))  # f32[]  util.py:104
    ep = lax.copy_p.bind(eo)  # f32[]  util.py:103
    eq = lax.mul(np.float32(0.5), ep)  # f32[]  quantity.py:158
    er = lax.add(np.float32(0.0), eq)  # f32[]  quantity.py:159
    es = lax.broadcast_in_dim(np.float32(0.0), (5,), ())  # f32[5]  simulate.py:434
    et = lax.broadcast_in_dim(np.float32(0.0), (5,), ())  # f32[5]  simulate.py:435
    eu = lax.pow(np.float32(0.1), np.float32(2.0))  # f32[]  simulate.py:437
    ev = lax.mul(np.float32(0.5), eu)  # f32[]  simulate.py:437
    ew = lax.broadcast_in_dim(np.float32(1.0), (5,), ())  # f32[5]  simulate.py:437
    ex = lax.mul(ev, ew)  # f32[5]  simulate.py:437
    ey = lax.broadcast_in_dim(np.int32(0), (1,), ())  # i32[1]  simulate.py:438
    ez = lax.scatter_mul_p.bind(  # f32[5]  simulate.py:438
        ex,
        ey,
        np.float32(50.0),
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    # result.position, result.momentum, result.force, result.mass, result.chain.position, result.chain.momentum,
    # result.chain.mass, result.chain.tau, result.chain.kinetic_energy
    return b, el, dx, np.float32(1.0), es, et, ez, np.float32(0.1), er


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
