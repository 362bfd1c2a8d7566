# /// jace-repro
# schema = 1
# name = "warped"
# origin = "scripts/libraries/jaxscipy_signal_image.py:29 (warped)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "a085cf375e332876d7abb2e3d65a22c91b90fce8ec25e35e183eaf988cb6ac91"
# outputs_sha256 = "fddd95825547618d479b0071bb804d55249d35ccd5b32d8cafc2236162cdd1ac"
# sidecar_sha256 = "ab4f697435ce24f2a8a181a57f1e8860c8ae56566090d744aa90736146aca7ba"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""warped (jaxscipy_signal_image.py:29): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "ab4f697435ce24f2a8a181a57f1e8860c8ae56566090d744aa90736146aca7ba"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.eq(c, np.int32(0))  # bool[]
    e = where(d, np.int32(1), c)  # i32[]
    f = lax.rem(a, e)  # i32[8,8]
    g = lax.ne(f, np.int32(0))  # bool[8,8]
    h = lax.lt(f, np.int32(0))  # bool[8,8]
    i = lax.lt(e, np.int32(0))  # bool[]
    j = lax.ne(h, i)  # bool[8,8]
    k = lax.bitwise_and(j, g)  # bool[8,8]
    l = lax.add(f, e)  # i32[8,8]
    m = lax.select_n(k, f, l)  # i32[8,8]
    return m


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # i32[8,8]
    return d


@jax.jit
def floor_divide(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.div(a, c)  # i32[8,8]
    e = lax.sign(a)  # i32[8,8]
    f = lax.sign(c)  # i32[]
    g = lax.ne(e, f)  # bool[8,8]
    h = lax.rem(a, c)  # i32[8,8]
    i = lax.ne(h, np.int32(0))  # bool[8,8]
    j = lax.bitwise_and(g, i)  # bool[8,8]
    k = lax.sub(d, np.int32(1))  # i32[8,8]
    l = where_2(j, k, d)  # i32[8,8]
    return l


@jit("_map_coordinates")
def map_coordinates(a, b, c):
    d = lax.floor(b)  # f32[8,8]
    e = lax.sub(b, d)  # f32[8,8]
    f = lax.sub(np.float32(1.0), e)  # f32[8,8]
    g = lax.convert_element_type(d, i32)  # i32[8,8]
    h = lax.add(g, np.int32(1))  # i32[8,8]
    i = lax.mul(np.int32(2), g)  # i32[8,8]
    j = lax.add(i, np.int32(1))  # i32[8,8]
    k = lax.add(j, np.int32(16))  # i32[8,8]
    l = remainder(k, 32)  # i32[8,8]
    m = lax.sub(l, np.int32(16))  # i32[8,8]
    n = lax.abs(m)  # i32[8,8]
    o = lax.sub(n, np.int32(1))  # i32[8,8]
    p = floor_divide(o, 2)  # i32[8,8]
    q = lax.mul(np.int32(2), h)  # i32[8,8]
    r = lax.add(q, np.int32(1))  # i32[8,8]
    s = lax.add(r, np.int32(16))  # i32[8,8]
    t = remainder(s, 32)  # i32[8,8]
    u = lax.sub(t, np.int32(16))  # i32[8,8]
    v = lax.abs(u)  # i32[8,8]
    w = lax.sub(v, np.int32(1))  # i32[8,8]
    x = floor_divide(w, 2)  # i32[8,8]
    y = lax.floor(c)  # f32[8,8]
    z = lax.sub(c, y)  # f32[8,8]
    aa = lax.sub(np.float32(1.0), z)  # f32[8,8]
    ab = lax.convert_element_type(y, i32)  # i32[8,8]
    ac = lax.add(ab, np.int32(1))  # i32[8,8]
    ad = lax.mul(np.int32(2), ab)  # i32[8,8]
    ae = lax.add(ad, np.int32(1))  # i32[8,8]
    af = lax.add(ae, np.int32(16))  # i32[8,8]
    ag = remainder(af, 32)  # i32[8,8]
    ah = lax.sub(ag, np.int32(16))  # i32[8,8]
    ai = lax.abs(ah)  # i32[8,8]
    aj = lax.sub(ai, np.int32(1))  # i32[8,8]
    ak = floor_divide(aj, 2)  # i32[8,8]
    al = lax.mul(np.int32(2), ac)  # i32[8,8]
    am = lax.add(al, np.int32(1))  # i32[8,8]
    an = lax.add(am, np.int32(16))  # i32[8,8]
    ao = remainder(an, 32)  # i32[8,8]
    ap = lax.sub(ao, np.int32(16))  # i32[8,8]
    aq = lax.abs(ap)  # i32[8,8]
    ar = lax.sub(aq, np.int32(1))  # i32[8,8]
    at = floor_divide(ar, 2)  # i32[8,8]
    au = lax.lt(p, np.int32(0))  # bool[8,8]
    av = lax.add(p, np.int32(8))  # i32[8,8]
    aw = lax.select_n(au, p, av)  # i32[8,8]
    ax = lax.lt(ak, np.int32(0))  # bool[8,8]
    ay = lax.add(ak, np.int32(8))  # i32[8,8]
    az = lax.select_n(ax, ak, ay)  # i32[8,8]
    ba = lax.broadcast_in_dim(aw, (8, 8, 1), (0, 1))  # i32[8,8,1]
    bb = lax.broadcast_in_dim(az, (8, 8, 1), (0, 1))  # i32[8,8,1]
    bc = lax.concatenate([ba, bb], 2)  # i32[8,8,2]
    bd = lax.gather_p.bind(  # f32[8,8]
        a,
        bc,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    be = lax.mul(f, aa)  # f32[8,8]
    bf = lax.mul(be, bd)  # f32[8,8]
    bg = lax.lt(p, np.int32(0))  # bool[8,8]
    bh = lax.add(p, np.int32(8))  # i32[8,8]
    bi = lax.select_n(bg, p, bh)  # i32[8,8]
    bj = lax.lt(at, np.int32(0))  # bool[8,8]
    bk = lax.add(at, np.int32(8))  # i32[8,8]
    bl = lax.select_n(bj, at, bk)  # i32[8,8]
    bm = lax.broadcast_in_dim(bi, (8, 8, 1), (0, 1))  # i32[8,8,1]
    bn = lax.broadcast_in_dim(bl, (8, 8, 1), (0, 1))  # i32[8,8,1]
    bo = lax.concatenate([bm, bn], 2)  # i32[8,8,2]
    bp = lax.gather_p.bind(  # f32[8,8]
        a,
        bo,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    bq = lax.mul(f, z)  # f32[8,8]
    br = lax.mul(bq, bp)  # f32[8,8]
    bs = lax.lt(x, np.int32(0))  # bool[8,8]
    bt = lax.add(x, np.int32(8))  # i32[8,8]
    bu = lax.select_n(bs, x, bt)  # i32[8,8]
    bv = lax.lt(ak, np.int32(0))  # bool[8,8]
    bw = lax.add(ak, np.int32(8))  # i32[8,8]
    bx = lax.select_n(bv, ak, bw)  # i32[8,8]
    by = lax.broadcast_in_dim(bu, (8, 8, 1), (0, 1))  # i32[8,8,1]
    bz = lax.broadcast_in_dim(bx, (8, 8, 1), (0, 1))  # i32[8,8,1]
    ca = lax.concatenate([by, bz], 2)  # i32[8,8,2]
    cb = lax.gather_p.bind(  # f32[8,8]
        a,
        ca,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    cc = lax.mul(e, aa)  # f32[8,8]
    cd = lax.mul(cc, cb)  # f32[8,8]
    ce = lax.lt(x, np.int32(0))  # bool[8,8]
    cf = lax.add(x, np.int32(8))  # i32[8,8]
    cg = lax.select_n(ce, x, cf)  # i32[8,8]
    ch = lax.lt(at, np.int32(0))  # bool[8,8]
    ci = lax.add(at, np.int32(8))  # i32[8,8]
    cj = lax.select_n(ch, at, ci)  # i32[8,8]
    ck = lax.broadcast_in_dim(cg, (8, 8, 1), (0, 1))  # i32[8,8,1]
    cl = lax.broadcast_in_dim(cj, (8, 8, 1), (0, 1))  # i32[8,8,1]
    cm = lax.concatenate([ck, cl], 2)  # i32[8,8,2]
    cn = lax.gather_p.bind(  # f32[8,8]
        a,
        cm,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    co = lax.mul(e, z)  # f32[8,8]
    cp = lax.mul(co, cn)  # f32[8,8]
    cq = lax.add(bf, br)  # f32[8,8]
    cr = lax.add(cq, cd)  # f32[8,8]
    cs = lax.add(cr, cp)  # f32[8,8]
    return cs


@jit("_where")
def where_3(a, b, c):
    d = lax.select_n(a, c, b)  # f32[8,5]
    return d


@jit("_where")
def where_4(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (8, 5), ())  # f32[8,5]
    f = lax.select_n(a, c, e)  # f32[8,5]
    return f


@jit("_where")
def where_5(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (1, 5), ())  # f32[1,5]
    f = lax.select_n(a, e, b)  # f32[1,5]
    return f


@jit("_where")
def where_6(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim_p.bind(a, broadcast_dimensions=(0, 1), shape=(8, 5), sharding=None)  # bool[8,5]
    f = lax.broadcast_in_dim(d, (8, 5), ())  # f32[8,5]
    g = lax.select_n(e, f, b)  # f32[8,5]
    return g


@jit("_where")
def where_7(a, b, c):
    d = lax.select_n(a, c, b)  # f32[8,12]
    return d


@jit("_where")
def where_8(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (8, 12), ())  # f32[8,12]
    f = lax.select_n(a, c, e)  # f32[8,12]
    return f


@jit("_where")
def where_9(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (1, 12), ())  # f32[1,12]
    f = lax.select_n(a, e, b)  # f32[1,12]
    return f


@jit("_where")
def where_10(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim_p.bind(  # bool[8,12]
        a, broadcast_dimensions=(0, 1), shape=(8, 12), sharding=None
    )
    f = lax.broadcast_in_dim(d, (8, 12), ())  # f32[8,12]
    g = lax.select_n(e, f, b)  # f32[8,12]
    return g


@jit("_resize")
def resize(a):
    b = lax.max(1.6, 1.0)  # f32[] weak
    c = lax.broadcasted_iota(f32, (5,), 0)  # f32[5]
    d = lax.add(c, np.float32(0.5))  # f32[5]
    e = lax.mul(d, np.float32(1.6))  # f32[5]
    f = lax.sub(e, np.float32(0.0))  # f32[5]
    g = lax.sub(f, np.float32(0.5))  # f32[5]
    h = lax.broadcasted_iota(f32, (8,), 0)  # f32[8]
    i = lax.broadcast_in_dim(g, (1, 5), (1,))  # f32[1,5]
    j = lax.broadcast_in_dim(h, (8, 1), (0,))  # f32[8,1]
    k = lax.sub(i, j)  # f32[8,5]
    l = lax.abs(k)  # f32[8,5]
    m = lax.convert_element_type(b, f32)  # f32[]
    n = lax.div(l, m)  # f32[8,5]
    o = lax.mul(np.float32(1.5), n)  # f32[8,5]
    p = lax.sub(o, np.float32(2.5))  # f32[8,5]
    q = lax.mul(p, n)  # f32[8,5]
    r = lax.mul(q, n)  # f32[8,5]
    s = lax.add(r, np.float32(1.0))  # f32[8,5]
    t = lax.ge(n, np.float32(1.0))  # bool[8,5]
    u = lax.mul(np.float32(-0.5), n)  # f32[8,5]
    v = lax.add(u, np.float32(2.5))  # f32[8,5]
    w = lax.mul(v, n)  # f32[8,5]
    x = lax.sub(w, np.float32(4.0))  # f32[8,5]
    y = lax.mul(x, n)  # f32[8,5]
    z = lax.add(y, np.float32(2.0))  # f32[8,5]
    aa = where_3(t, z, s)  # f32[8,5]
    ab = lax.ge(n, np.float32(2.0))  # bool[8,5]
    ac = where_4(ab, 0.0, aa)  # f32[8,5]
    ad = lax.reduce_sum(ac, axes=(0,))  # f32[5]
    ae = lax.broadcast_in_dim(ad, (1, 5), (1,))  # f32[1,5]
    af = lax.abs(ae)  # f32[1,5]
    ag = lax.gt(af, np.float32(0.00011920929))  # bool[1,5]
    ah = lax.ne(ae, np.float32(0.0))  # bool[1,5]
    ai = where_5(ah, ae, 1)  # f32[1,5]
    aj = lax.div(ac, ai)  # f32[8,5]
    ak = where_6(ag, aj, 0)  # f32[8,5]
    al = lax.ge(g, np.float32(-0.5))  # bool[5]
    am = lax.le(g, np.float32(7.5))  # bool[5]
    an = lax.bitwise_and(al, am)  # bool[5]
    ao = lax.broadcast_in_dim(an, (1, 5), (1,))  # bool[1,5]
    ap = where_6(ao, ak, 0)  # f32[8,5]
    aq = lax.max(0.6666666666666666, 1.0)  # f32[] weak
    ar = lax.broadcasted_iota(f32, (12,), 0)  # f32[12]
    at = lax.add(ar, np.float32(0.5))  # f32[12]
    au = lax.mul(at, np.float32(0.6666667))  # f32[12]
    av = lax.sub(au, np.float32(0.0))  # f32[12]
    aw = lax.sub(av, np.float32(0.5))  # f32[12]
    ax = lax.broadcasted_iota(f32, (8,), 0)  # f32[8]
    ay = lax.broadcast_in_dim(aw, (1, 12), (1,))  # f32[1,12]
    az = lax.broadcast_in_dim(ax, (8, 1), (0,))  # f32[8,1]
    ba = lax.sub(ay, az)  # f32[8,12]
    bb = lax.abs(ba)  # f32[8,12]
    bc = lax.convert_element_type(aq, f32)  # f32[]
    bd = lax.div(bb, bc)  # f32[8,12]
    be = lax.mul(np.float32(1.5), bd)  # f32[8,12]
    bf = lax.sub(be, np.float32(2.5))  # f32[8,12]
    bg = lax.mul(bf, bd)  # f32[8,12]
    bh = lax.mul(bg, bd)  # f32[8,12]
    bi = lax.add(bh, np.float32(1.0))  # f32[8,12]
    bj = lax.ge(bd, np.float32(1.0))  # bool[8,12]
    bk = lax.mul(np.float32(-0.5), bd)  # f32[8,12]
    bl = lax.add(bk, np.float32(2.5))  # f32[8,12]
    bm = lax.mul(bl, bd)  # f32[8,12]
    bn = lax.sub(bm, np.float32(4.0))  # f32[8,12]
    bo = lax.mul(bn, bd)  # f32[8,12]
    bp = lax.add(bo, np.float32(2.0))  # f32[8,12]
    bq = where_7(bj, bp, bi)  # f32[8,12]
    br = lax.ge(bd, np.float32(2.0))  # bool[8,12]
    bs = where_8(br, 0.0, bq)  # f32[8,12]
    bt = lax.reduce_sum(bs, axes=(0,))  # f32[12]
    bu = lax.broadcast_in_dim(bt, (1, 12), (1,))  # f32[1,12]
    bv = lax.abs(bu)  # f32[1,12]
    bw = lax.gt(bv, np.float32(0.00011920929))  # bool[1,12]
    bx = lax.ne(bu, np.float32(0.0))  # bool[1,12]
    by = where_9(bx, bu, 1)  # f32[1,12]
    bz = lax.div(bs, by)  # f32[8,12]
    ca = where_10(bw, bz, 0)  # f32[8,12]
    cb = lax.ge(aw, np.float32(-0.5))  # bool[12]
    cc = lax.le(aw, np.float32(7.5))  # bool[12]
    cd = lax.bitwise_and(cb, cc)  # bool[12]
    ce = lax.broadcast_in_dim(cd, (1, 12), (1,))  # bool[1,12]
    cf = where_10(ce, ca, 0)  # f32[8,12]
    cg = lax.dot_general(  # f32[5,8]
        ap, a, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ch = lax.dot_general(  # f32[5,12]
        cg, cf, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    return ch


@jit("_flip")
def flip(a):
    b = lax.rev(a, (0, 1))  # f32[2,2]
    return b


def inputs():
    return [
        ARRAYS["x0"],  # a = image: f32[8,8]
        0.3,  # b = angle: f32[] weak
    ]


def repro(a, b):
    c = lax.broadcasted_iota(f32, (8,), 0)  # f32[8]  jaxscipy_signal_image.py:31
    d = lax.sub(c, np.float32(3.5))  # f32[8]  jaxscipy_signal_image.py:31
    e = lax.broadcasted_iota(f32, (8,), 0)  # f32[8]  jaxscipy_signal_image.py:31
    f = lax.sub(e, np.float32(3.5))  # f32[8]  jaxscipy_signal_image.py:31
    g = lax.broadcast_in_dim(d, (8, 8), (0,))  # f32[8,8]  jaxscipy_signal_image.py:31
    h = lax.broadcast_in_dim(f, (8, 8), (1,))  # f32[8,8]  jaxscipy_signal_image.py:31
    i = lax.cos(b)  # f32[] weak  jaxscipy_signal_image.py:33
    j = lax.convert_element_type(i, f32)  # f32[]  jaxscipy_signal_image.py:33
    k = lax.mul(j, g)  # f32[8,8]  jaxscipy_signal_image.py:33
    l = lax.sin(b)  # f32[] weak  jaxscipy_signal_image.py:33
    m = lax.convert_element_type(l, f32)  # f32[]  jaxscipy_signal_image.py:33
    n = lax.mul(m, h)  # f32[8,8]  jaxscipy_signal_image.py:33
    o = lax.sub(k, n)  # f32[8,8]  jaxscipy_signal_image.py:33
    p = lax.add(o, np.float32(3.5))  # f32[8,8]  jaxscipy_signal_image.py:33
    q = lax.sin(b)  # f32[] weak  jaxscipy_signal_image.py:34
    r = lax.convert_element_type(q, f32)  # f32[]  jaxscipy_signal_image.py:34
    s = lax.mul(r, g)  # f32[8,8]  jaxscipy_signal_image.py:34
    t = lax.cos(b)  # f32[] weak  jaxscipy_signal_image.py:34
    u = lax.convert_element_type(t, f32)  # f32[]  jaxscipy_signal_image.py:34
    v = lax.mul(u, h)  # f32[8,8]  jaxscipy_signal_image.py:34
    w = lax.add(s, v)  # f32[8,8]  jaxscipy_signal_image.py:34
    x = lax.add(w, np.float32(3.5))  # f32[8,8]  jaxscipy_signal_image.py:34
    y = map_coordinates(a, p, x)  # f32[8,8]  jaxscipy_signal_image.py:36
    z = resize(y)  # f32[5,12]  jaxscipy_signal_image.py:37
    aa = lax.broadcast_in_dim(np.float32(1.0), (2, 2), ())  # f32[2,2]  jaxscipy_signal_image.py:37
    ab = flip(aa)  # f32[2,2]  jaxscipy_signal_image.py:37
    ac = lax.broadcast_in_dim(a, (1, 1, 8, 8), (2, 3))  # f32[1,1,8,8]  jaxscipy_signal_image.py:37
    ad = lax.broadcast_in_dim(ab, (1, 1, 2, 2), (2, 3))  # f32[1,1,2,2]  jaxscipy_signal_image.py:37
    ae = lax.conv_general_dilated_p.bind(  # f32[1,1,7,7]  jaxscipy_signal_image.py:37
        ac,
        ad,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3)
        ),
        feature_group_count=1,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((0, 0), (0, 0)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    af = lax.squeeze(ae, (0, 1))  # f32[7,7]  jaxscipy_signal_image.py:37
    # result[0], result[1]
    return z, af


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
