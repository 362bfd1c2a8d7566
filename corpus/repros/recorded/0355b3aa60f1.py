# /// jace-repro
# schema = 1
# name = "augment"
# origin = "scripts/libraries/dmpix_augment.py:9 (augment)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "0355b3aa60f147c945b87a29a6d9414987734967a137575ec0cf8c0a74a8f83c"
# outputs_sha256 = "e77b41a2ca201e1fb549eb57a0217ee168f669aad9fda9398f7f8eaeb72df1fa"
# sidecar_sha256 = "0cf85cefec0fd7739692e6531304e17d5c6e26c91f82ee7c646de4dc118df6c8"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""augment (dmpix_augment.py:9): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")
i32 = np.dtype("int32")
u32 = np.dtype("uint32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "0cf85cefec0fd7739692e6531304e17d5c6e26c91f82ee7c646de4dc118df6c8"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=())  # u32[3]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[3]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[3]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[3]
    j = lax.sub(i, np.float32(1.0))  # f32[3]
    k = lax.sub(e, d)  # f32[]
    l = lax.mul(j, k)  # f32[3]
    m = lax.add(l, d)  # f32[3]
    n = lax.max(d, m)  # f32[3]
    return n


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform(a, 0.0, 1.0)  # f32[3]
    d = lax.lt(c, b)  # bool[3]
    return d


@jit("_flip")
def flip(a):
    b = lax.rev(a, (2,))  # f32[3,8,8,3]
    return b


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (8, 8), ())  # f32[8,8]
    f = lax.broadcast_in_dim(e, (3, 8, 8), (1, 2))  # f32[3,8,8]
    g = lax.select_n(a, f, b)  # f32[3,8,8]
    return g


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # f32[3,8,8]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.rem(a, c)  # f32[3,8,8]
    e = lax.ne(d, np.float32(0.0))  # bool[3,8,8]
    f = lax.lt(d, np.float32(0.0))  # bool[3,8,8]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[3,8,8]
    i = lax.bitwise_and(h, e)  # bool[3,8,8]
    j = lax.add(d, c)  # f32[3,8,8]
    k = lax.select_n(i, d, j)  # f32[3,8,8]
    return k


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.max(d, a)  # f32[3,8,8]
    f = lax.convert_element_type(c, f32)  # f32[]
    g = lax.min(f, e)  # f32[3,8,8]
    return g


@jax.jit
def clip_2(a, b, c):
    d = lax.max(b, a)  # i32[]
    e = lax.min(c, d)  # i32[]
    return e


@jax.jit
def clip_3(a, b, c):
    d = lax.max(b, a)  # i32[] weak
    e = lax.min(c, d)  # i32[] weak
    return e


@jit("_randint")
def randint(a, b, c):
    d = clip_2(np.int32(2147483647), np.int32(-2147483648), np.int32(2147483647))  # i32[]
    e = lax.gt(c, d)  # bool[]
    f = clip_3(b, -2147483648, 2147483647)  # i32[] weak
    g = lax.convert_element_type(f, i32)  # i32[]
    h = clip_3(c, -2147483648, 2147483647)  # i32[] weak
    i = lax.convert_element_type(h, i32)  # i32[]
    j = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[3,2]
    k = lax.slice(j, (0, 0), (3, 1), (1, 1))  # key<fry>[3,1]
    l = lax.squeeze(k, (1,))  # key<fry>[3]
    m = lax.slice(j, (0, 1), (3, 2), (1, 1))  # key<fry>[3,1]
    n = lax.squeeze(m, (1,))  # key<fry>[3]
    o = primitives.random_bits_p.bind(l, bit_width=32, shape=())  # u32[3]
    p = primitives.random_bits_p.bind(n, bit_width=32, shape=())  # u32[3]
    q = lax.sub(i, g)  # i32[]
    r = lax.convert_element_type(q, u32)  # u32[]
    s = lax.le(i, g)  # bool[]
    t = lax.select_n(s, r, np.uint32(1))  # u32[]
    u = lax.gt(i, g)  # bool[]
    v = lax.bitwise_and(e, u)  # bool[]
    w = lax.add(t, np.uint32(1))  # u32[]
    x = lax.select_n(v, t, w)  # u32[]
    y = lax.rem(np.uint32(65536), x)  # u32[]
    z = lax.mul(y, y)  # u32[]
    aa = lax.rem(z, x)  # u32[]
    ab = lax.rem(o, x)  # u32[3]
    ac = lax.mul(ab, aa)  # u32[3]
    ad = lax.rem(p, x)  # u32[3]
    ae = lax.add(ac, ad)  # u32[3]
    af = lax.rem(ae, x)  # u32[3]
    ag = lax.convert_element_type(af, i32)  # i32[3]
    ah = lax.add(g, ag)  # i32[3]
    return ah


def inputs():
    return [
        # a = key: key<fry>[3]
        jax.random.wrap_key_data(
            np.array(
                [[1797259609, 2579123966], [928981903, 3453687069], [4146024105, 2718843009]], np.uint32
            ),
            impl="threefry2x32",
        ),
        ARRAYS["x1"],  # b = image: f32[3,8,8,3]
    ]


def repro(a, b):
    c = primitives.random_split_p.bind(a, shape=(4,))  # key<fry>[3,4]  dmpix_augment.py:11
    d = lax.slice(c, (0, 0), (3, 1))  # key<fry>[3,1]  dmpix_augment.py:12
    e = lax.squeeze(d, (1,))  # key<fry>[3]  dmpix_augment.py:12
    f = bernoulli(e, np.float32(0.5))  # bool[3]  augment.py:790
    g = lax.convert_element_type(f, i32)  # i32[3]  augment.py:791
    h = lax.eq(g, np.int32(0))  # bool[3]  augment.py:791
    i = lax.stop_gradient_p.bind(b)  # f32[3,8,8,3]  augment.py:791
    j = lax.broadcast_in_dim(h, (3, 8, 8, 3), (0,))  # bool[3,8,8,3]  augment.py:791
    k = lax.select_n(j, i, b)  # f32[3,8,8,3]  augment.py:791
    l = lax.eq(g, np.int32(1))  # bool[3]  augment.py:791
    m = lax.stop_gradient_p.bind(b)  # f32[3,8,8,3]  augment.py:791
    n = lax.broadcast_in_dim(l, (3, 8, 8, 3), (0,))  # bool[3,8,8,3]  augment.py:791
    o = lax.select_n(n, m, b)  # f32[3,8,8,3]  augment.py:791
    p = flip(o)  # f32[3,8,8,3]  augment.py:441
    q = lax.broadcast_in_dim(g, (3, 8, 8, 3), (0,))  # i32[3,8,8,3]  augment.py:791
    r = lax.select_n(q, k, p)  # f32[3,8,8,3]  augment.py:791
    s = lax.slice(c, (0, 1), (3, 2))  # key<fry>[3,1]  dmpix_augment.py:13
    t = lax.squeeze(s, (1,))  # key<fry>[3]  dmpix_augment.py:13
    u = uniform(t, -0.2, 0.2)  # f32[3]  augment.py:826
    v = lax.broadcast_in_dim(u, (3, 1, 1, 1), (0,))  # f32[3,1,1,1]  augment.py:48
    w = lax.add(r, v)  # f32[3,8,8,3]  augment.py:48
    x = lax.slice(c, (0, 2), (3, 3))  # key<fry>[3,1]  dmpix_augment.py:14
    y = lax.squeeze(x, (1,))  # key<fry>[3]  dmpix_augment.py:14
    z = uniform(y, -0.1, 0.1)  # f32[3]  augment.py:857
    aa, ab, ac = lax.split_p.bind(  # f32[3,8,8,1], f32[3,8,8,1], f32[3,8,8,1]  color_conversion.py:45
        w, axis=3, sizes=(1, 1, 1)
    )
    ad = lax.squeeze(aa, (3,))  # f32[3,8,8]  color_conversion.py:46
    ae = lax.squeeze(ab, (3,))  # f32[3,8,8]  color_conversion.py:46
    af = lax.squeeze(ac, (3,))  # f32[3,8,8]  color_conversion.py:46
    ag = lax.max(ad, ae)  # f32[3,8,8]  color_conversion.py:118
    ah = lax.max(ag, af)  # f32[3,8,8]  color_conversion.py:118
    ai = lax.min(ad, ae)  # f32[3,8,8]  color_conversion.py:119
    aj = lax.min(ai, af)  # f32[3,8,8]  color_conversion.py:119
    ak = lax.sub(ah, aj)  # f32[3,8,8]  color_conversion.py:120
    al = lax.gt(ah, np.float32(0.0))  # bool[3,8,8]  color_conversion.py:125
    am = where(al, ah, 1.0)  # f32[3,8,8]  color_conversion.py:125
    an = lax.gt(ak, np.float32(0.0))  # bool[3,8,8]  color_conversion.py:126
    ao = where(an, ak, 1.0)  # f32[3,8,8]  color_conversion.py:126
    ap = lax.gt(ah, np.float32(0.0))  # bool[3,8,8]  color_conversion.py:128
    aq = lax.div(ak, am)  # f32[3,8,8]  color_conversion.py:128
    ar = where(ap, aq, 0.0)  # f32[3,8,8]  color_conversion.py:128
    at = lax.mul(np.float32(6.0), ao)  # f32[3,8,8]  color_conversion.py:129
    au = lax.div(np.float32(1.0), at)  # f32[3,8,8]  color_conversion.py:129
    av = lax.eq(ah, ae)  # bool[3,8,8]  color_conversion.py:131
    aw = lax.sub(af, ad)  # f32[3,8,8]  color_conversion.py:132
    ax = lax.mul(au, aw)  # f32[3,8,8]  color_conversion.py:132
    ay = lax.add(ax, np.float32(0.33333334))  # f32[3,8,8]  color_conversion.py:132
    az = lax.sub(ad, ae)  # f32[3,8,8]  color_conversion.py:133
    ba = lax.mul(au, az)  # f32[3,8,8]  color_conversion.py:133
    bb = lax.add(ba, np.float32(0.6666667))  # f32[3,8,8]  color_conversion.py:133
    bc = where_2(av, ay, bb)  # f32[3,8,8]  color_conversion.py:131
    bd = lax.eq(ah, ad)  # bool[3,8,8]  color_conversion.py:134
    be = lax.sub(ae, af)  # f32[3,8,8]  color_conversion.py:134
    bf = lax.mul(au, be)  # f32[3,8,8]  color_conversion.py:134
    bg = where_2(bd, bf, bc)  # f32[3,8,8]  color_conversion.py:134
    bh = lax.gt(ak, np.float32(0.0))  # bool[3,8,8]  color_conversion.py:135
    bi = where(bh, bg, 0.0)  # f32[3,8,8]  color_conversion.py:135
    bj = lax.lt(bg, np.float32(0.0))  # bool[3,8,8]  color_conversion.py:135
    bk = lax.convert_element_type(bj, f32)  # f32[3,8,8]  color_conversion.py:135
    bl = lax.add(bi, bk)  # f32[3,8,8]  color_conversion.py:135
    bm = lax.broadcast_in_dim(z, (3, 1, 1), (0,))  # f32[3,1,1]  augment.py:134
    bn = lax.add(bl, bm)  # f32[3,8,8]  augment.py:134
    bo = remainder(bn, 1.0)  # f32[3,8,8]  augment.py:134
    bp = remainder(bo, 1.0)  # f32[3,8,8]  color_conversion.py:162
    bq = lax.mul(bp, np.float32(6.0))  # f32[3,8,8]  color_conversion.py:162
    br = lax.sub(bq, np.float32(3.0))  # f32[3,8,8]  color_conversion.py:163
    bs = lax.abs(br)  # f32[3,8,8]  color_conversion.py:163
    bt = lax.sub(bs, np.float32(1.0))  # f32[3,8,8]  color_conversion.py:163
    bu = clip(bt, 0.0, 1.0)  # f32[3,8,8]  color_conversion.py:163
    bv = lax.sub(bq, np.float32(2.0))  # f32[3,8,8]  color_conversion.py:164
    bw = lax.abs(bv)  # f32[3,8,8]  color_conversion.py:164
    bx = lax.sub(np.float32(2.0), bw)  # f32[3,8,8]  color_conversion.py:164
    by = clip(bx, 0.0, 1.0)  # f32[3,8,8]  color_conversion.py:164
    bz = lax.sub(bq, np.float32(4.0))  # f32[3,8,8]  color_conversion.py:165
    ca = lax.abs(bz)  # f32[3,8,8]  color_conversion.py:165
    cb = lax.sub(np.float32(2.0), ca)  # f32[3,8,8]  color_conversion.py:165
    cc = clip(cb, 0.0, 1.0)  # f32[3,8,8]  color_conversion.py:165
    cd = lax.sub(np.float32(1.0), ar)  # f32[3,8,8]  color_conversion.py:166
    ce = lax.mul(ar, bu)  # f32[3,8,8]  color_conversion.py:168
    cf = lax.add(cd, ce)  # f32[3,8,8]  color_conversion.py:168
    cg = lax.mul(ah, cf)  # f32[3,8,8]  color_conversion.py:168
    ch = lax.mul(ar, by)  # f32[3,8,8]  color_conversion.py:169
    ci = lax.add(cd, ch)  # f32[3,8,8]  color_conversion.py:169
    cj = lax.mul(ah, ci)  # f32[3,8,8]  color_conversion.py:169
    ck = lax.mul(ar, cc)  # f32[3,8,8]  color_conversion.py:170
    cl = lax.add(cd, ck)  # f32[3,8,8]  color_conversion.py:170
    cm = lax.mul(ah, cl)  # f32[3,8,8]  color_conversion.py:170
    cn = lax.stack_p.bind(cg, cj, cm, axis=3)  # f32[3,8,8,3]  augment.py:136
    co = lax.slice(c, (0, 3), (3, 4))  # key<fry>[3,1]  dmpix_augment.py:15
    cp = lax.squeeze(co, (1,))  # key<fry>[3]  dmpix_augment.py:15
    cq = primitives.random_split_p.bind(cp, shape=(3,))  # key<fry>[3,3]  augment.py:923
    cr = lax.slice(cq, (0, 0), (3, 1), (1, 1))  # key<fry>[3,1]  augment.py:925
    cs = lax.squeeze(cr, (1,))  # key<fry>[3]  augment.py:925
    ct = randint(cs, 0, 3)  # i32[3]  augment.py:926
    cu = lax.slice(cq, (0, 1), (3, 2), (1, 1))  # key<fry>[3,1]  augment.py:925
    cv = lax.squeeze(cu, (1,))  # key<fry>[3]  augment.py:925
    cw = randint(cv, 0, 3)  # i32[3]  augment.py:926
    cx = lax.slice(cq, (0, 2), (3, 3), (1, 1))  # key<fry>[3,1]  augment.py:925
    cy = lax.squeeze(cx, (1,))  # key<fry>[3]  augment.py:925
    cz = randint(cy, 0, 1)  # i32[3]  augment.py:926
    da = lax.lt(ct, np.int32(0))  # bool[3]  augment.py:929
    db = lax.add(ct, np.int32(8))  # i32[3]  augment.py:929
    dc = lax.select_n(da, ct, db)  # i32[3]  augment.py:929
    dd = lax.lt(cw, np.int32(0))  # bool[3]  augment.py:929
    de = lax.add(cw, np.int32(8))  # i32[3]  augment.py:929
    df = lax.select_n(dd, cw, de)  # i32[3]  augment.py:929
    dg = lax.lt(cz, np.int32(0))  # bool[3]  augment.py:929
    dh = lax.add(cz, np.int32(3))  # i32[3]  augment.py:929
    di = lax.select_n(dg, cz, dh)  # i32[3]  augment.py:929
    dj = lax.broadcast_in_dim(dc, (3, 1), (0,))  # i32[3,1]  augment.py:929
    dk = lax.broadcast_in_dim(df, (3, 1), (0,))  # i32[3,1]  augment.py:929
    dl = lax.broadcast_in_dim(di, (3, 1), (0,))  # i32[3,1]  augment.py:929
    dm = lax.concatenate([dj, dk, dl], 1)  # i32[3,3]  augment.py:929
    dn = lax.gather_p.bind(  # f32[3,6,6,3]  augment.py:929
        cn,
        dm,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1, 2, 3),
            collapsed_slice_dims=(),
            start_index_map=(1, 2, 3),
            operand_batching_dims=(0,),
            start_indices_batching_dims=(0,),
        ),
        fill_value=None,
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.CLIP,
        slice_sizes=(1, 6, 6, 3),
        unique_indices=True,
    )
    do = lax.broadcasted_iota(i32, (3,), 0)  # i32[3]  augment.py:500
    dp = lax.add(np.int32(-1), do)  # i32[3]  augment.py:500
    dq = lax.convert_element_type(dp, f32)  # f32[3]  augment.py:500
    dr = lax.integer_pow(dq, 2)  # f32[3]  augment.py:501
    ds = lax.neg(dr)  # f32[3]  augment.py:501
    dt = lax.div(ds, np.float32(2.0))  # f32[3]  augment.py:501
    du = lax.exp(dt)  # f32[3]  augment.py:501
    dv = lax.reduce_sum(du, axes=(0,))  # f32[]  augment.py:502
    dw = lax.div(du, dv)  # f32[3]  augment.py:502
    dx = lax.reshape(dw, (3, 1, 1, 1))  # f32[3,1,1,1]  augment.py:503
    dy = lax.reshape(dw, (1, 3, 1, 1))  # f32[1,3,1,1]  augment.py:504
    dz = lax.tile_p.bind(dy, reps=(1, 1, 1, 3))  # f32[1,3,1,3]  augment.py:505
    ea = lax.tile_p.bind(dx, reps=(1, 1, 1, 3))  # f32[3,1,1,3]  augment.py:506
    eb = lax.broadcast_in_dim(dn, (3, 1, 6, 6, 3), (0, 2, 3, 4))  # f32[3,1,6,6,3]  augment.py:510
    ec = lax.reshape(eb, (3, 6, 6, 3))  # f32[3,6,6,3]  augment.py:966
    ed = lax.conv_general_dilated_p.bind(  # f32[3,6,6,3]  augment.py:966
        ec,
        dz,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=3,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((0, 0), (1, 1)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    ee = lax.reshape(ed, (3, 1, 6, 6, 3))  # f32[3,1,6,6,3]  augment.py:966
    ef = lax.reshape(ee, (3, 6, 6, 3))  # f32[3,6,6,3]  augment.py:966
    eg = lax.conv_general_dilated_p.bind(  # f32[3,6,6,3]  augment.py:966
        ef,
        ea,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=3,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((1, 1), (0, 0)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    eh = lax.reshape(eg, (3, 1, 6, 6, 3))  # f32[3,1,6,6,3]  augment.py:966
    ei = lax.squeeze(eh, (1,))  # f32[3,6,6,3]  augment.py:526
    ej = lax.reduce_sum(ei, axes=(1, 2))  # f32[3,3]  augment.py:75
    ek = lax.broadcast_in_dim(ej, (3, 1, 1, 3), (0, 3))  # f32[3,1,1,3]  augment.py:75
    el = lax.div(ek, np.float32(36.0))  # f32[3,1,1,3]  augment.py:75
    em = lax.sub(ei, el)  # f32[3,6,6,3]  augment.py:76
    en = lax.mul(np.float32(1.3), em)  # f32[3,6,6,3]  augment.py:76
    eo = lax.add(en, el)  # f32[3,6,6,3]  augment.py:76
    # result[0]
    return eo


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
