# /// jace-repro
# schema = 1
# name = "augment"
# origin = "scripts/libraries/dmpix_augment.py:9 (augment)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "cee36dc733849e17840ee8edc4261e615a86083b5bc5921fc7fdddc71a2b8cc8"
# outputs_sha256 = "1832b2d8d5f0dec6596d8e96b38591fe5ed517582778f04ecf51d2578f0feafb"
# sidecar_sha256 = "cec303d95752cd2f6725d6b1ac2f6be3a853f10146f9fd8cae20bad982b389d3"
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

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")
i32 = np.dtype("int32")
u32 = np.dtype("uint32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "cec303d95752cd2f6725d6b1ac2f6be3a853f10146f9fd8cae20bad982b389d3"


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
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=())  # u32[]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[]
    j = lax.sub(i, np.float32(1.0))  # f32[]
    k = lax.sub(e, d)  # f32[]
    l = lax.mul(j, k)  # f32[]
    m = lax.add(l, d)  # f32[]
    n = lax.reshape_p.bind(m, dimensions=None, new_sizes=(), sharding=None)  # f32[]
    o = lax.max(d, n)  # f32[]
    return o


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform(a, 0.0, 1.0)  # f32[]
    d = lax.lt(c, b)  # bool[]
    return d


def branch(a):
    return a


@jit("_flip")
def flip(a):
    b = lax.rev(a, (1,))  # f32[8,8,3]
    return b


def branch_2(a):
    b = flip(a)  # f32[8,8,3]  augment.py:441
    return b


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (8, 8), ())  # f32[8,8]
    f = lax.select_n(a, e, b)  # f32[8,8]
    return f


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # f32[8,8]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.rem(a, c)  # f32[8,8]
    e = lax.ne(d, np.float32(0.0))  # bool[8,8]
    f = lax.lt(d, np.float32(0.0))  # bool[8,8]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[8,8]
    i = lax.bitwise_and(h, e)  # bool[8,8]
    j = lax.add(d, c)  # f32[8,8]
    k = lax.select_n(i, d, j)  # f32[8,8]
    return k


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.max(d, a)  # f32[8,8]
    f = lax.convert_element_type(c, f32)  # f32[]
    g = lax.min(f, e)  # f32[8,8]
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
    j = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    k = lax.slice(j, (0,), (1,), (1,))  # key<fry>[1]
    l = lax.squeeze(k, (0,))  # key<fry>[]
    m = lax.slice(j, (1,), (2,), (1,))  # key<fry>[1]
    n = lax.squeeze(m, (0,))  # key<fry>[]
    o = primitives.random_bits_p.bind(l, bit_width=32, shape=())  # u32[]
    p = primitives.random_bits_p.bind(n, bit_width=32, shape=())  # u32[]
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
    ab = lax.rem(o, x)  # u32[]
    ac = lax.mul(ab, aa)  # u32[]
    ad = lax.rem(p, x)  # u32[]
    ae = lax.add(ac, ad)  # u32[]
    af = lax.rem(ae, x)  # u32[]
    ag = lax.convert_element_type(af, i32)  # i32[]
    ah = lax.add(g, ag)  # i32[]
    return ah


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 1], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
        ARRAYS["x1"],  # b = image: f32[8,8,3]
    ]


def repro(a, b):
    c = primitives.random_split_p.bind(a, shape=(4,))  # key<fry>[4]  dmpix_augment.py:11
    d = lax.slice(c, (0,), (1,))  # key<fry>[1]  dmpix_augment.py:12
    e = lax.squeeze(d, (0,))  # key<fry>[]  dmpix_augment.py:12
    f = bernoulli(e, np.float32(0.5))  # bool[]  augment.py:790
    g = lax.convert_element_type(f, i32)  # i32[]  augment.py:791
    (h,) = lax.cond_p.bind(  # f32[8,8,3]  augment.py:791
        g, b, branches=(J(branch, S((8, 8, 3), f32)), J(branch_2, S((8, 8, 3), f32)))
    )
    i = lax.slice(c, (1,), (2,))  # key<fry>[1]  dmpix_augment.py:13
    j = lax.squeeze(i, (0,))  # key<fry>[]  dmpix_augment.py:13
    k = uniform(j, -0.2, 0.2)  # f32[]  augment.py:826
    l = lax.add(h, k)  # f32[8,8,3]  augment.py:48
    m = lax.slice(c, (2,), (3,))  # key<fry>[1]  dmpix_augment.py:14
    n = lax.squeeze(m, (0,))  # key<fry>[]  dmpix_augment.py:14
    o = uniform(n, -0.1, 0.1)  # f32[]  augment.py:857
    p, q, r = lax.split_p.bind(  # f32[8,8,1], f32[8,8,1], f32[8,8,1]  color_conversion.py:45
        l, axis=2, sizes=(1, 1, 1)
    )
    s = lax.squeeze(p, (2,))  # f32[8,8]  color_conversion.py:46
    t = lax.squeeze(q, (2,))  # f32[8,8]  color_conversion.py:46
    u = lax.squeeze(r, (2,))  # f32[8,8]  color_conversion.py:46
    v = lax.max(s, t)  # f32[8,8]  color_conversion.py:118
    w = lax.max(v, u)  # f32[8,8]  color_conversion.py:118
    x = lax.min(s, t)  # f32[8,8]  color_conversion.py:119
    y = lax.min(x, u)  # f32[8,8]  color_conversion.py:119
    z = lax.sub(w, y)  # f32[8,8]  color_conversion.py:120
    aa = lax.gt(w, np.float32(0.0))  # bool[8,8]  color_conversion.py:125
    ab = where(aa, w, 1.0)  # f32[8,8]  color_conversion.py:125
    ac = lax.gt(z, np.float32(0.0))  # bool[8,8]  color_conversion.py:126
    ad = where(ac, z, 1.0)  # f32[8,8]  color_conversion.py:126
    ae = lax.gt(w, np.float32(0.0))  # bool[8,8]  color_conversion.py:128
    af = lax.div(z, ab)  # f32[8,8]  color_conversion.py:128
    ag = where(ae, af, 0.0)  # f32[8,8]  color_conversion.py:128
    ah = lax.mul(np.float32(6.0), ad)  # f32[8,8]  color_conversion.py:129
    ai = lax.div(np.float32(1.0), ah)  # f32[8,8]  color_conversion.py:129
    aj = lax.eq(w, t)  # bool[8,8]  color_conversion.py:131
    ak = lax.sub(u, s)  # f32[8,8]  color_conversion.py:132
    al = lax.mul(ai, ak)  # f32[8,8]  color_conversion.py:132
    am = lax.add(al, np.float32(0.33333334))  # f32[8,8]  color_conversion.py:132
    an = lax.sub(s, t)  # f32[8,8]  color_conversion.py:133
    ao = lax.mul(ai, an)  # f32[8,8]  color_conversion.py:133
    ap = lax.add(ao, np.float32(0.6666667))  # f32[8,8]  color_conversion.py:133
    aq = where_2(aj, am, ap)  # f32[8,8]  color_conversion.py:131
    ar = lax.eq(w, s)  # bool[8,8]  color_conversion.py:134
    at = lax.sub(t, u)  # f32[8,8]  color_conversion.py:134
    au = lax.mul(ai, at)  # f32[8,8]  color_conversion.py:134
    av = where_2(ar, au, aq)  # f32[8,8]  color_conversion.py:134
    aw = lax.gt(z, np.float32(0.0))  # bool[8,8]  color_conversion.py:135
    ax = where(aw, av, 0.0)  # f32[8,8]  color_conversion.py:135
    ay = lax.lt(av, np.float32(0.0))  # bool[8,8]  color_conversion.py:135
    az = lax.convert_element_type(ay, f32)  # f32[8,8]  color_conversion.py:135
    ba = lax.add(ax, az)  # f32[8,8]  color_conversion.py:135
    bb = lax.add(ba, o)  # f32[8,8]  augment.py:134
    bc = remainder(bb, 1.0)  # f32[8,8]  augment.py:134
    bd = remainder(bc, 1.0)  # f32[8,8]  color_conversion.py:162
    be = lax.mul(bd, np.float32(6.0))  # f32[8,8]  color_conversion.py:162
    bf = lax.sub(be, np.float32(3.0))  # f32[8,8]  color_conversion.py:163
    bg = lax.abs(bf)  # f32[8,8]  color_conversion.py:163
    bh = lax.sub(bg, np.float32(1.0))  # f32[8,8]  color_conversion.py:163
    bi = clip(bh, 0.0, 1.0)  # f32[8,8]  color_conversion.py:163
    bj = lax.sub(be, np.float32(2.0))  # f32[8,8]  color_conversion.py:164
    bk = lax.abs(bj)  # f32[8,8]  color_conversion.py:164
    bl = lax.sub(np.float32(2.0), bk)  # f32[8,8]  color_conversion.py:164
    bm = clip(bl, 0.0, 1.0)  # f32[8,8]  color_conversion.py:164
    bn = lax.sub(be, np.float32(4.0))  # f32[8,8]  color_conversion.py:165
    bo = lax.abs(bn)  # f32[8,8]  color_conversion.py:165
    bp = lax.sub(np.float32(2.0), bo)  # f32[8,8]  color_conversion.py:165
    bq = clip(bp, 0.0, 1.0)  # f32[8,8]  color_conversion.py:165
    br = lax.sub(np.float32(1.0), ag)  # f32[8,8]  color_conversion.py:166
    bs = lax.mul(ag, bi)  # f32[8,8]  color_conversion.py:168
    bt = lax.add(br, bs)  # f32[8,8]  color_conversion.py:168
    bu = lax.mul(w, bt)  # f32[8,8]  color_conversion.py:168
    bv = lax.mul(ag, bm)  # f32[8,8]  color_conversion.py:169
    bw = lax.add(br, bv)  # f32[8,8]  color_conversion.py:169
    bx = lax.mul(w, bw)  # f32[8,8]  color_conversion.py:169
    by = lax.mul(ag, bq)  # f32[8,8]  color_conversion.py:170
    bz = lax.add(br, by)  # f32[8,8]  color_conversion.py:170
    ca = lax.mul(w, bz)  # f32[8,8]  color_conversion.py:170
    cb = lax.stack_p.bind(bu, bx, ca, axis=2)  # f32[8,8,3]  augment.py:136
    cc = lax.slice(c, (3,), (4,))  # key<fry>[1]  dmpix_augment.py:15
    cd = lax.squeeze(cc, (0,))  # key<fry>[]  dmpix_augment.py:15
    ce = primitives.random_split_p.bind(cd, shape=(3,))  # key<fry>[3]  augment.py:923
    cf = lax.slice(ce, (0,), (1,), (1,))  # key<fry>[1]  augment.py:925
    cg = lax.squeeze(cf, (0,))  # key<fry>[]  augment.py:925
    ch = randint(cg, 0, 3)  # i32[]  augment.py:926
    ci = lax.slice(ce, (1,), (2,), (1,))  # key<fry>[1]  augment.py:925
    cj = lax.squeeze(ci, (0,))  # key<fry>[]  augment.py:925
    ck = randint(cj, 0, 3)  # i32[]  augment.py:926
    cl = lax.slice(ce, (2,), (3,), (1,))  # key<fry>[1]  augment.py:925
    cm = lax.squeeze(cl, (0,))  # key<fry>[]  augment.py:925
    cn = randint(cm, 0, 1)  # i32[]  augment.py:926
    co = lax.lt(ch, np.int32(0))  # bool[]  augment.py:929
    cp = lax.add(ch, np.int32(8))  # i32[]  augment.py:929
    cq = lax.select_n(co, ch, cp)  # i32[]  augment.py:929
    cr = lax.lt(ck, np.int32(0))  # bool[]  augment.py:929
    cs = lax.add(ck, np.int32(8))  # i32[]  augment.py:929
    ct = lax.select_n(cr, ck, cs)  # i32[]  augment.py:929
    cu = lax.lt(cn, np.int32(0))  # bool[]  augment.py:929
    cv = lax.add(cn, np.int32(3))  # i32[]  augment.py:929
    cw = lax.select_n(cu, cn, cv)  # i32[]  augment.py:929
    cx = lax.dynamic_slice_p.bind(cb, cq, ct, cw, slice_sizes=(6, 6, 3))  # f32[6,6,3]  augment.py:929
    cy = lax.broadcasted_iota(i32, (3,), 0)  # i32[3]  augment.py:500
    cz = lax.add(np.int32(-1), cy)  # i32[3]  augment.py:500
    da = lax.convert_element_type(cz, f32)  # f32[3]  augment.py:500
    db = lax.integer_pow(da, 2)  # f32[3]  augment.py:501
    dc = lax.neg(db)  # f32[3]  augment.py:501
    dd = lax.div(dc, np.float32(2.0))  # f32[3]  augment.py:501
    de = lax.exp(dd)  # f32[3]  augment.py:501
    df = lax.reduce_sum(de, axes=(0,))  # f32[]  augment.py:502
    dg = lax.div(de, df)  # f32[3]  augment.py:502
    dh = lax.reshape(dg, (3, 1, 1, 1))  # f32[3,1,1,1]  augment.py:503
    di = lax.reshape(dg, (1, 3, 1, 1))  # f32[1,3,1,1]  augment.py:504
    dj = lax.tile_p.bind(di, reps=(1, 1, 1, 3))  # f32[1,3,1,3]  augment.py:505
    dk = lax.tile_p.bind(dh, reps=(1, 1, 1, 3))  # f32[3,1,1,3]  augment.py:506
    dl = lax.broadcast_in_dim(cx, (1, 6, 6, 3), (1, 2, 3))  # f32[1,6,6,3]  augment.py:510
    dm = lax.conv_general_dilated_p.bind(  # f32[1,6,6,3]  augment.py:966
        dl,
        dj,
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
    dn = lax.conv_general_dilated_p.bind(  # f32[1,6,6,3]  augment.py:966
        dm,
        dk,
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
    do = lax.squeeze(dn, (0,))  # f32[6,6,3]  augment.py:526
    dp = lax.reduce_sum(do, axes=(0, 1))  # f32[3]  augment.py:75
    dq = lax.broadcast_in_dim(dp, (1, 1, 3), (2,))  # f32[1,1,3]  augment.py:75
    dr = lax.div(dq, np.float32(36.0))  # f32[1,1,3]  augment.py:75
    ds = lax.sub(do, dr)  # f32[6,6,3]  augment.py:76
    dt = lax.mul(np.float32(1.3), ds)  # f32[6,6,3]  augment.py:76
    du = lax.add(dt, dr)  # f32[6,6,3]  augment.py:76
    return du


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
