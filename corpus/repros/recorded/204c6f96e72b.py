# /// jace-repro
# schema = 1
# name = "update"
# origin = "scripts/libraries/haiku_mlp.py:26 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "204c6f96e72be4052f6061d44a7bb53095d0a84e5ac6ac2561849149d5434a4d"
# outputs_sha256 = "63ffee3479ac266e3687d6a82f03df99e7bd31725fe1d93989a30045c0cad003"
# sidecar_sha256 = "b699ce33f5e582d31fe89c779ce83b7d57c55c16a3886ae94fae17cf19a072f3"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (haiku_mlp.py:26): written by jace-repro, needs only jax and numpy."""

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


SIDECAR_SHA256 = "b699ce33f5e582d31fe89c779ce83b7d57c55c16a3886ae94fae17cf19a072f3"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def silu(a):
    b = lax.logistic(a)  # f32[12,16]
    c = lax.sub(np.float32(1.0), b)  # f32[12,16]
    d = lax.mul(b, c)  # f32[12,16]
    e = lax.mul(a, b)  # f32[12,16]
    return e, d, b


@jax.jit
def silu_2(a):
    b = lax.logistic(a)  # f32[12,8]
    c = lax.sub(np.float32(1.0), b)  # f32[12,8]
    d = lax.mul(b, c)  # f32[12,8]
    e = lax.mul(a, b)  # f32[12,8]
    return e, d, b


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1, 1), ())  # f32[1,1]
    g = lax.broadcast_in_dim(e, (1, 1), ())  # f32[1,1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(12, 8))  # u32[12,8]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[12,8]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[12,8]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[12,8]
    l = lax.sub(k, np.float32(1.0))  # f32[12,8]
    m = lax.sub(g, f)  # f32[1,1]
    n = lax.mul(l, m)  # f32[12,8]
    o = lax.add(n, f)  # f32[12,8]
    p = lax.max(f, o)  # f32[12,8]
    return p


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform(a, 0.0, 1.0)  # f32[12,8]
    d = lax.lt(c, b)  # bool[12,8]
    return d


@jit("_one_hot")
def one_hot(a):
    b = lax.broadcast_in_dim(a, (12, 1), (0,))  # i32[12,1]
    c = lax.broadcasted_iota(i32, (1, 3), 1)  # i32[1,3]
    d = lax.eq(b, c)  # bool[12,3]
    e = lax.convert_element_type(d, f32)  # f32[12,3]
    return e


@jax.jit
def log_softmax(a):
    b = lax.reduce_max(a, axes=(1,))  # f32[12]
    c = lax.max(np.float32(-np.inf), b)  # f32[12]
    d = lax.broadcast_in_dim(c, (12, 1), (0,))  # f32[12,1]
    e = lax.stop_gradient_p.bind(d)  # f32[12,1]
    f = lax.sub(a, e)  # f32[12,3]
    g = lax.exp(f)  # f32[12,3]
    h = lax.reduce_sum(g, axes=(1,))  # f32[12]
    i = lax.broadcast_in_dim(h, (12, 1), (0,))  # f32[12,1]
    j = lax.log(i)  # f32[12,1]
    k = lax.sub(f, j)  # f32[12,3]
    return k, g, i


@jax.jit
def log_softmax_2(a, b, c):
    d = lax.neg(c)  # f32[12,3]
    e = lax.reduce_sum(d, axes=(1,))  # f32[12]
    f = lax.reshape(e, (12, 1))  # f32[12,1]
    g = lax.div(f, b)  # f32[12,1]
    h = lax.reduce_sum(g, axes=(1,))  # f32[12]
    i = lax.broadcast_in_dim(h, (12, 3), (0,))  # f32[12,3]
    j = lax.mul(i, a)  # f32[12,3]
    k = primitives.add_jaxvals_p.bind(c, j)  # f32[12,3]
    return k


@jax.jit
def silu_3(a, b, c, d):
    e = lax.mul(c, d)  # f32[12,8]
    f = lax.mul(d, b)  # f32[12,8]
    g = lax.mul(e, a)  # f32[12,8]
    h = primitives.add_jaxvals_p.bind(f, g)  # f32[12,8]
    return h


@jax.jit
def silu_4(a, b, c, d):
    e = lax.mul(c, d)  # f32[12,16]
    f = lax.mul(d, b)  # f32[12,16]
    g = lax.mul(e, a)  # f32[12,16]
    h = primitives.add_jaxvals_p.bind(f, g)  # f32[12,16]
    return h


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


def inputs():
    return [
        np.array([0.0, 0.0, 0.0], np.float32),  # a = params['linear']['b']: f32[3]
        ARRAYS["x1"],  # b = params['linear']['w']: f32[8,3]
        # c = params['mlp/~/linear_0']['b']: f32[16]
        np.array(
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32
        ),
        ARRAYS["x3"],  # d = params['mlp/~/linear_0']['w']: f32[5,16]
        # e = params['mlp/~/linear_1']['b']: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        ARRAYS["x5"],  # f = params['mlp/~/linear_1']['w']: f32[16,8]
        np.int32(0),  # g = opt_state[0].count: i32[]
        np.array([0.0, 0.0, 0.0], np.float32),  # h = opt_state[0].mu['linear']['b']: f32[3]
        np.zeros((8, 3), np.float32),  # i = opt_state[0].mu['linear']['w']: f32[8,3]
        # j = opt_state[0].mu['mlp/~/linear_0']['b']: f32[16]
        np.array(
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32
        ),
        np.zeros((5, 16), np.float32),  # k = opt_state[0].mu['mlp/~/linear_0']['w']: f32[5,16]
        # l = opt_state[0].mu['mlp/~/linear_1']['b']: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        np.zeros((16, 8), np.float32),  # m = opt_state[0].mu['mlp/~/linear_1']['w']: f32[16,8]
        np.array([0.0, 0.0, 0.0], np.float32),  # n = opt_state[0].nu['linear']['b']: f32[3]
        np.zeros((8, 3), np.float32),  # o = opt_state[0].nu['linear']['w']: f32[8,3]
        # p = opt_state[0].nu['mlp/~/linear_0']['b']: f32[16]
        np.array(
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32
        ),
        np.zeros((5, 16), np.float32),  # q = opt_state[0].nu['mlp/~/linear_0']['w']: f32[5,16]
        # r = opt_state[0].nu['mlp/~/linear_1']['b']: f32[8]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),
        np.zeros((16, 8), np.float32),  # s = opt_state[0].nu['mlp/~/linear_1']['w']: f32[16,8]
        np.int32(0),  # t = opt_state[1].count: i32[]
        np.array([1705926158, 899080142], np.uint32),  # u = key: u32[2]
        ARRAYS["x21"],  # v = x: f32[12,5]
        np.array([1, 1, 2, 0, 2, 0, 1, 1, 2, 0, 2, 2], np.int32),  # w = labels: i32[12]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w):
    x = lax.dot_general(  # f32[12,16]  basic.py:180
        v, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    y = lax.broadcast_in_dim(c, (12, 16), (1,))  # f32[12,16]  basic.py:184
    z = lax.add(x, y)  # f32[12,16]  basic.py:185
    aa, ab, ac = silu(z)  # f32[12,16], f32[12,16], f32[12,16]  mlp.py:119
    ad = lax.dot_general(  # f32[12,8]  basic.py:180
        aa, f, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ae = lax.broadcast_in_dim(e, (12, 8), (1,))  # f32[12,8]  basic.py:184
    af = lax.add(ad, ae)  # f32[12,8]  basic.py:185
    ag, ah, ai = silu_2(af)  # f32[12,8], f32[12,8], f32[12,8]  mlp.py:119
    aj = random_wrap_p.bind(u, impl=threefry_prng_impl)  # key<fry>[]  base.py:1070
    ak = primitives.random_split_p.bind(aj, shape=(2,))  # key<fry>[2]  base.py:1070
    al = random_unwrap_p.bind(ak)  # u32[2,2]  base.py:1070
    am = lax.slice(al, (0, 0), (1, 2), (1, 1))  # u32[1,2]  base.py:1070
    _ = lax.squeeze(am, (0,))  # u32[2]  base.py:1070
    an = lax.slice(al, (1, 0), (2, 2), (1, 1))  # u32[1,2]  base.py:1070
    ao = lax.squeeze(an, (0,))  # u32[2]  base.py:1070
    ap = random_wrap_p.bind(ao, impl=threefry_prng_impl)  # key<fry>[]  basic.py:354
    aq = bernoulli(ap, np.float32(0.8))  # bool[12,8]  basic.py:354
    ar = lax.convert_element_type(aq, f32)  # f32[12,8]  basic.py:356
    at = lax.mul(ar, ag)  # f32[12,8]  basic.py:356
    au = lax.div(at, np.float32(0.8))  # f32[12,8]  basic.py:356
    av = lax.dot_general(  # f32[12,3]  basic.py:180
        au, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    aw = lax.broadcast_in_dim(a, (12, 3), (1,))  # f32[12,3]  basic.py:184
    ax = lax.add(av, aw)  # f32[12,3]  basic.py:185
    ay = one_hot(w)  # f32[12,3]  haiku_mlp.py:23
    az, ba, bb = log_softmax(ax)  # f32[12,3], f32[12,3], f32[12,1]  haiku_mlp.py:23
    bc = lax.mul(ay, az)  # f32[12,3]  haiku_mlp.py:23
    bd = lax.reduce_sum(bc, axes=(1,))  # f32[12]  haiku_mlp.py:23
    be = lax.reduce_sum(bd, axes=(0,))  # f32[]  haiku_mlp.py:23
    bf = lax.div(be, np.float32(12.0))  # f32[]  haiku_mlp.py:23
    bg = lax.neg(bf)  # f32[]  haiku_mlp.py:23
    bh = lax.neg(np.float32(1.0))  # f32[]  haiku_mlp.py:23
    bi = lax.div(bh, np.float32(12.0))  # f32[]  haiku_mlp.py:23
    bj = lax.broadcast_in_dim(bi, (12,), ())  # f32[12]  haiku_mlp.py:23
    bk = lax.broadcast_in_dim(bj, (12, 3), (0,))  # f32[12,3]  haiku_mlp.py:23
    bl = lax.mul(ay, bk)  # f32[12,3]  haiku_mlp.py:23
    bm = log_softmax_2(ba, bb, bl)  # f32[12,3]  haiku_mlp.py:23
    bn = lax.reduce_sum(bm, axes=(0,))  # f32[3]  basic.py:184
    bo = lax.dot_general(  # f32[3,8]  basic.py:180
        bm, au, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bp = lax.transpose(bo, (1, 0))  # f32[8,3]  basic.py:180
    bq = lax.dot_general(  # f32[12,8]  basic.py:180
        bm, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    br = lax.div(bq, np.float32(0.8))  # f32[12,8]  basic.py:356
    bs = lax.mul(ar, br)  # f32[12,8]  basic.py:356
    bt = silu_3(ah, ai, af, bs)  # f32[12,8]  mlp.py:119
    bu = lax.reduce_sum(bt, axes=(0,))  # f32[8]  basic.py:184
    bv = lax.dot_general(  # f32[8,16]  basic.py:180
        bt, aa, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bw = lax.transpose(bv, (1, 0))  # f32[16,8]  basic.py:180
    bx = lax.dot_general(  # f32[12,16]  basic.py:180
        bt, f, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    by = silu_4(ab, ac, z, bx)  # f32[12,16]  mlp.py:119
    bz = lax.reduce_sum(by, axes=(0,))  # f32[16]  basic.py:184
    ca = lax.dot_general(  # f32[16,5]  basic.py:180
        by, v, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    cb = lax.transpose(ca, (1, 0))  # f32[5,16]  basic.py:180
    cc = lax.integer_pow(bn, 1)  # f32[3]  _tree_math.py:398
    cd = lax.mul(np.float32(0.1), cc)  # f32[3]  _tree_math.py:398
    ce = lax.mul(np.float32(0.9), h)  # f32[3]  _tree_math.py:398
    cf = lax.add(cd, ce)  # f32[3]  _tree_math.py:398
    cg = lax.integer_pow(bp, 1)  # f32[8,3]  _tree_math.py:398
    ch = lax.mul(np.float32(0.1), cg)  # f32[8,3]  _tree_math.py:398
    ci = lax.mul(np.float32(0.9), i)  # f32[8,3]  _tree_math.py:398
    cj = lax.add(ch, ci)  # f32[8,3]  _tree_math.py:398
    ck = lax.integer_pow(bz, 1)  # f32[16]  _tree_math.py:398
    cl = lax.mul(np.float32(0.1), ck)  # f32[16]  _tree_math.py:398
    cm = lax.mul(np.float32(0.9), j)  # f32[16]  _tree_math.py:398
    cn = lax.add(cl, cm)  # f32[16]  _tree_math.py:398
    co = lax.integer_pow(cb, 1)  # f32[5,16]  _tree_math.py:398
    cp = lax.mul(np.float32(0.1), co)  # f32[5,16]  _tree_math.py:398
    cq = lax.mul(np.float32(0.9), k)  # f32[5,16]  _tree_math.py:398
    cr = lax.add(cp, cq)  # f32[5,16]  _tree_math.py:398
    cs = lax.integer_pow(bu, 1)  # f32[8]  _tree_math.py:398
    ct = lax.mul(np.float32(0.1), cs)  # f32[8]  _tree_math.py:398
    cu = lax.mul(np.float32(0.9), l)  # f32[8]  _tree_math.py:398
    cv = lax.add(ct, cu)  # f32[8]  _tree_math.py:398
    cw = lax.integer_pow(bw, 1)  # f32[16,8]  _tree_math.py:398
    cx = lax.mul(np.float32(0.1), cw)  # f32[16,8]  _tree_math.py:398
    cy = lax.mul(np.float32(0.9), m)  # f32[16,8]  _tree_math.py:398
    cz = lax.add(cx, cy)  # f32[16,8]  _tree_math.py:398
    da = lax.integer_pow(bn, 2)  # f32[3]  _tree_math.py:423
    db = lax.mul(np.float32(0.001), da)  # f32[3]  _tree_math.py:433
    dc = lax.mul(np.float32(0.999), n)  # f32[3]  _tree_math.py:433
    dd = lax.add(db, dc)  # f32[3]  _tree_math.py:433
    de = lax.integer_pow(bp, 2)  # f32[8,3]  _tree_math.py:423
    df = lax.mul(np.float32(0.001), de)  # f32[8,3]  _tree_math.py:433
    dg = lax.mul(np.float32(0.999), o)  # f32[8,3]  _tree_math.py:433
    dh = lax.add(df, dg)  # f32[8,3]  _tree_math.py:433
    di = lax.integer_pow(bz, 2)  # f32[16]  _tree_math.py:423
    dj = lax.mul(np.float32(0.001), di)  # f32[16]  _tree_math.py:433
    dk = lax.mul(np.float32(0.999), p)  # f32[16]  _tree_math.py:433
    dl = lax.add(dj, dk)  # f32[16]  _tree_math.py:433
    dm = lax.integer_pow(cb, 2)  # f32[5,16]  _tree_math.py:423
    dn = lax.mul(np.float32(0.001), dm)  # f32[5,16]  _tree_math.py:433
    do = lax.mul(np.float32(0.999), q)  # f32[5,16]  _tree_math.py:433
    dp = lax.add(dn, do)  # f32[5,16]  _tree_math.py:433
    dq = lax.integer_pow(bu, 2)  # f32[8]  _tree_math.py:423
    dr = lax.mul(np.float32(0.001), dq)  # f32[8]  _tree_math.py:433
    ds = lax.mul(np.float32(0.999), r)  # f32[8]  _tree_math.py:433
    dt = lax.add(dr, ds)  # f32[8]  _tree_math.py:433
    du = lax.integer_pow(bw, 2)  # f32[16,8]  _tree_math.py:423
    dv = lax.mul(np.float32(0.001), du)  # f32[16,8]  _tree_math.py:433
    dw = lax.mul(np.float32(0.999), s)  # f32[16,8]  _tree_math.py:433
    dx = lax.add(dv, dw)  # f32[16,8]  _tree_math.py:433
    dy = lax.lt(g, np.int32(2147483647))  # bool[]  numerics.py:143
    dz = lax.add(g, np.int32(1))  # i32[]  numerics.py:143
    ea = where(dy, dz, np.int32(2147483647))  # i32[]  numerics.py:143
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:294
        ea, new_dtype=f32, sharding=None, weak_type=True
    )
    eb = lax.pow(0.9, ea)  # f32[]  transform.py:294
    ec = lax.sub(np.float32(1.0), eb)  # f32[]  transform.py:294
    ed = lax.div(cf, ec)  # f32[3]  transform.py:294
    ee = lax.div(cj, ec)  # f32[8,3]  transform.py:294
    ef = lax.div(cn, ec)  # f32[16]  transform.py:294
    eg = lax.div(cr, ec)  # f32[5,16]  transform.py:294
    eh = lax.div(cv, ec)  # f32[8]  transform.py:294
    ei = lax.div(cz, ec)  # f32[16,8]  transform.py:294
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:298
        ea, new_dtype=f32, sharding=None, weak_type=True
    )
    ej = lax.pow(0.999, ea)  # f32[]  transform.py:298
    ek = lax.sub(np.float32(1.0), ej)  # f32[]  transform.py:298
    el = lax.div(dd, ek)  # f32[3]  transform.py:298
    em = lax.div(dh, ek)  # f32[8,3]  transform.py:298
    en = lax.div(dl, ek)  # f32[16]  transform.py:298
    eo = lax.div(dp, ek)  # f32[5,16]  transform.py:298
    ep = lax.div(dt, ek)  # f32[8]  transform.py:298
    eq = lax.div(dx, ek)  # f32[16,8]  transform.py:298
    er = lax.add(el, np.float32(0.0))  # f32[3]  transform.py:300
    es = lax.sqrt(er)  # f32[3]  transform.py:300
    et = lax.add(es, np.float32(1e-08))  # f32[3]  transform.py:300
    eu = lax.div(ed, et)  # f32[3]  transform.py:300
    ev = lax.add(em, np.float32(0.0))  # f32[8,3]  transform.py:300
    ew = lax.sqrt(ev)  # f32[8,3]  transform.py:300
    ex = lax.add(ew, np.float32(1e-08))  # f32[8,3]  transform.py:300
    ey = lax.div(ee, ex)  # f32[8,3]  transform.py:300
    ez = lax.add(en, np.float32(0.0))  # f32[16]  transform.py:300
    fa = lax.sqrt(ez)  # f32[16]  transform.py:300
    fb = lax.add(fa, np.float32(1e-08))  # f32[16]  transform.py:300
    fc = lax.div(ef, fb)  # f32[16]  transform.py:300
    fd = lax.add(eo, np.float32(0.0))  # f32[5,16]  transform.py:300
    fe = lax.sqrt(fd)  # f32[5,16]  transform.py:300
    ff = lax.add(fe, np.float32(1e-08))  # f32[5,16]  transform.py:300
    fg = lax.div(eg, ff)  # f32[5,16]  transform.py:300
    fh = lax.add(ep, np.float32(0.0))  # f32[8]  transform.py:300
    fi = lax.sqrt(fh)  # f32[8]  transform.py:300
    fj = lax.add(fi, np.float32(1e-08))  # f32[8]  transform.py:300
    fk = lax.div(eh, fj)  # f32[8]  transform.py:300
    fl = lax.add(eq, np.float32(0.0))  # f32[16,8]  transform.py:300
    fm = lax.sqrt(fl)  # f32[16,8]  transform.py:300
    fn = lax.add(fm, np.float32(1e-08))  # f32[16,8]  transform.py:300
    fo = lax.div(ei, fn)  # f32[16,8]  transform.py:300
    fp = lax.convert_element_type_p.bind(  # f32[] weak  _schedule.py:384
        t, new_dtype=f32, sharding=None, weak_type=True
    )
    fq = lax.min(fp, 10.0)  # f32[] weak  _schedule.py:384
    fr = lax.mul(3.141592653589793, fq)  # f32[] weak  _schedule.py:385
    fs = lax.div(fr, 10.0)  # f32[] weak  _schedule.py:385
    ft = lax.cos(fs)  # f32[] weak  _schedule.py:385
    fu = lax.add(weak(1.0, f32), ft)  # f32[] weak  _schedule.py:385
    fv = lax.mul(0.5, fu)  # f32[] weak  _schedule.py:385
    fw = lax.pow(fv, 1.0)  # f32[] weak  _schedule.py:386
    fx = lax.mul(1.0, fw)  # f32[] weak  _schedule.py:386
    fy = lax.add(fx, 0.0)  # f32[] weak  _schedule.py:386
    fz = lax.mul(0.01, fy)  # f32[] weak  _schedule.py:387
    ga = lax.mul(weak(-1.0, f32), fz)  # f32[] weak  transform.py:1004
    gb = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    gc = lax.convert_element_type(gb, f32)  # f32[]  transform.py:1029
    gd = lax.mul(gc, eu)  # f32[3]  transform.py:1029
    ge = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    gf = lax.convert_element_type(ge, f32)  # f32[]  transform.py:1029
    gg = lax.mul(gf, ey)  # f32[8,3]  transform.py:1029
    gh = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    gi = lax.convert_element_type(gh, f32)  # f32[]  transform.py:1029
    gj = lax.mul(gi, fc)  # f32[16]  transform.py:1029
    gk = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    gl = lax.convert_element_type(gk, f32)  # f32[]  transform.py:1029
    gm = lax.mul(gl, fg)  # f32[5,16]  transform.py:1029
    gn = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    go = lax.convert_element_type(gn, f32)  # f32[]  transform.py:1029
    gp = lax.mul(go, fk)  # f32[8]  transform.py:1029
    gq = lax.copy_p.bind(ga)  # f32[] weak  transform.py:1029
    gr = lax.convert_element_type(gq, f32)  # f32[]  transform.py:1029
    gs = lax.mul(gr, fo)  # f32[16,8]  transform.py:1029
    gt = lax.lt(t, np.int32(2147483647))  # bool[]  numerics.py:143
    gu = lax.add(t, np.int32(1))  # i32[]  numerics.py:143
    gv = where(gt, gu, np.int32(2147483647))  # i32[]  numerics.py:143
    gw = lax.add(a, gd)  # f32[3]  update.py:42
    gx = lax.add(b, gg)  # f32[8,3]  update.py:42
    gy = lax.add(c, gj)  # f32[16]  update.py:42
    gz = lax.add(d, gm)  # f32[5,16]  update.py:42
    ha = lax.add(e, gp)  # f32[8]  update.py:42
    hb = lax.add(f, gs)  # f32[16,8]  update.py:42
    # result[0]['linear']['b'], result[0]['linear']['w'], result[0]['mlp/~/linear_0']['b'],
    # result[0]['mlp/~/linear_0']['w'], result[0]['mlp/~/linear_1']['b'], result[0]['mlp/~/linear_1']['w'],
    # result[1][0].count, result[1][0].mu['linear']['b'], result[1][0].mu['linear']['w'],
    # result[1][0].mu['mlp/~/linear_0']['b'], result[1][0].mu['mlp/~/linear_0']['w'],
    # result[1][0].mu['mlp/~/linear_1']['b'], result[1][0].mu['mlp/~/linear_1']['w'],
    # result[1][0].nu['linear']['b'], result[1][0].nu['linear']['w'], result[1][0].nu['mlp/~/linear_0']['b'],
    # result[1][0].nu['mlp/~/linear_0']['w'], result[1][0].nu['mlp/~/linear_1']['b'],
    # result[1][0].nu['mlp/~/linear_1']['w'], result[1][1].count, result[2]
    return gw, gx, gy, gz, ha, hb, ea, cf, cj, cn, cr, cv, cz, dd, dh, dl, dp, dt, dx, gv, bg


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
