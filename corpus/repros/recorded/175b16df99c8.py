# /// jace-repro
# schema = 1
# name = "checked_fun"
# origin = "scripts/libraries/jax_checkify.py:27 (checked_fun)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "175b16df99c8222d711cedeb08ca2a58040e166e4b9bd3ba3671c5ecce13d3ec"
# outputs_sha256 = "44cbc73740913e7d8cfebe53b99a964ccb07ad693ad2d4dc2d4e3a01fa5e49a0"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""checked_fun (jax_checkify.py:27): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


C0 = np.array([1], np.int32)
C1 = np.array([5], np.int32)
C2 = np.array([0], np.int32)
C3 = np.array([5], np.int32)


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
        2,  # b: i32[] weak
        3.0,  # c: f32[] weak
    ]


def repro(a, b, c):
    d = lax.gt(c, weak(0.0, f32))  # bool[] weak  jax_checkify.py:9
    e = lax.bitwise_not(d)  # bool[] weak  jax_checkify.py:9
    f = lax.convert_element_type(e, bool_)  # bool[]  jax_checkify.py:9
    g = lax.bitwise_or(False, f)  # bool[]  jax_checkify.py:9
    h = lax.select_n(False, 1, -1)  # i32[] weak  jax_checkify.py:9
    i = lax.bitwise_or(False, g)  # bool[]  jax_checkify.py:9
    j = lax.select_n(False, h, -1)  # i32[] weak  jax_checkify.py:9
    k = lax.lt(b, 0)  # bool[] weak  jax_checkify.py:10
    l = lax.convert_element_type(b, i32)  # i32[]  jax_checkify.py:10
    m = lax.add(l, np.int32(5))  # i32[]  jax_checkify.py:10
    n = lax.ne(m, m)  # bool[]  jax_checkify.py:10
    o = lax.reduce_or_p.bind(n, axes=())  # bool[]  jax_checkify.py:10
    p = lax.bitwise_or(False, o)  # bool[]  jax_checkify.py:10
    q = lax.select_n(False, 2, -1)  # i32[] weak  jax_checkify.py:10
    r = lax.select_n(k, b, m)  # i32[]  jax_checkify.py:10
    s = lax.dynamic_slice_p.bind(a, r, slice_sizes=(1,))  # f32[1]  jax_checkify.py:10
    t = lax.broadcast_in_dim(r, (1,), ())  # i32[1]  jax_checkify.py:10
    u = lax.lt(t, np.int32(0))  # bool[1]  jax_checkify.py:10
    v = lax.add(t, C0)  # i32[1]  jax_checkify.py:10
    w = lax.gt(v, C1)  # bool[1]  jax_checkify.py:10
    x = lax.bitwise_or(u, w)  # bool[1]  jax_checkify.py:10
    y = lax.bitwise_not(x)  # bool[1]  jax_checkify.py:10
    z = lax.argmin(y, 0, i32)  # i32[]  jax_checkify.py:10
    aa, ab = divmod(z, 1)  # i32[], i32[]  jax_checkify.py:10
    ac = lax.gt(aa, np.int32(0))  # bool[]  jax_checkify.py:10
    ad = lax.lt(aa, np.int32(-1))  # bool[]  jax_checkify.py:10
    ae = where_2(ad, 0, ab)  # i32[]  jax_checkify.py:10
    af = where_2(ac, 0, ae)  # i32[]  jax_checkify.py:10
    ag = lax.lt(af, np.int32(0))  # bool[]  jax_checkify.py:10
    ah = lax.add(af, np.int32(1))  # i32[]  jax_checkify.py:10
    ai = lax.select_n(ag, af, ah)  # i32[]  jax_checkify.py:10
    aj = lax.dynamic_slice_p.bind(C2, ai, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    ak = lax.squeeze(aj, (0,))  # i32[]  jax_checkify.py:10
    al = lax.lt(ak, np.int32(0))  # bool[]  jax_checkify.py:10
    am = lax.add(ak, np.int32(1))  # i32[]  jax_checkify.py:10
    an = lax.select_n(al, ak, am)  # i32[]  jax_checkify.py:10
    ao = lax.dynamic_slice_p.bind(C3, an, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    ap = lax.squeeze(ao, (0,))  # i32[]  jax_checkify.py:10
    aq = lax.lt(z, np.int32(0))  # bool[]  jax_checkify.py:10
    ar = lax.add(z, np.int32(1))  # i32[]  jax_checkify.py:10
    at = lax.select_n(aq, z, ar)  # i32[]  jax_checkify.py:10
    au = lax.dynamic_slice_p.bind(t, at, slice_sizes=(1,))  # i32[1]  jax_checkify.py:10
    av = lax.squeeze(au, (0,))  # i32[]  jax_checkify.py:10
    aw = lax.broadcast_in_dim(av, (1,), ())  # i32[1]  jax_checkify.py:10
    ax = lax.broadcast_in_dim(ak, (1,), ())  # i32[1]  jax_checkify.py:10
    ay = lax.broadcast_in_dim(ap, (1,), ())  # i32[1]  jax_checkify.py:10
    az = lax.concatenate([aw, ax, ay], 0)  # i32[3]  jax_checkify.py:10
    ba = lax.reduce_or(x, axes=(0,))  # bool[]  jax_checkify.py:10
    bb = lax.bitwise_or(False, ba)  # bool[]  jax_checkify.py:10
    bc = lax.select_n(False, 3, -1)  # i32[] weak  jax_checkify.py:10
    bd = lax.squeeze(s, (0,))  # f32[]  jax_checkify.py:10
    be = lax.log(c)  # f32[] weak  jax_checkify.py:10
    bf = lax.ne(be, be)  # bool[] weak  jax_checkify.py:10
    bg = lax.convert_element_type(bf, bool_)  # bool[]  jax_checkify.py:10
    bh = lax.reduce_or_p.bind(bg, axes=())  # bool[]  jax_checkify.py:10
    bi = lax.bitwise_or(p, bh)  # bool[]  jax_checkify.py:10
    bj = lax.select_n(p, 4, q)  # i32[] weak  jax_checkify.py:10
    bk = lax.convert_element_type(be, f32)  # f32[]  jax_checkify.py:10
    bl = lax.eq(bk, np.float32(0.0))  # bool[]  jax_checkify.py:10
    bm = lax.reduce_or_p.bind(bl, axes=())  # bool[]  jax_checkify.py:10
    bn = lax.bitwise_or(False, bm)  # bool[]  jax_checkify.py:10
    bo = lax.select_n(False, 5, -1)  # i32[] weak  jax_checkify.py:10
    bp = lax.div(bd, bk)  # f32[]  jax_checkify.py:10
    bq = lax.ne(bp, bp)  # bool[]  jax_checkify.py:10
    br = lax.reduce_or_p.bind(bq, axes=())  # bool[]  jax_checkify.py:10
    bs = lax.bitwise_or(bi, br)  # bool[]  jax_checkify.py:10
    bt = lax.select_n(bi, 6, bj)  # i32[] weak  jax_checkify.py:10
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
    return bn, i, bs, bb, bo, j, bt, bc, c, az, bp


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
