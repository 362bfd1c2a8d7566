# /// jace-repro
# schema = 1
# name = "ten_steps"
# origin = "scripts/libraries/jaxmd_nve.py:22 (ten_steps)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d6f8230a92ea5853590ee5176f4fc00dc6ce3d89f3f1cf59014fba8ed2c28265"
# outputs_sha256 = "5b935b8f86025e56c2de21830f781e730512bffba2330539fb939a3df35c6c92"
# sidecar_sha256 = "0900627c78fc30e0572a096d88e36799c8e4774b37dac6229eb51eced9e913e8"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""ten_steps (jaxmd_nve.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "0900627c78fc30e0572a096d88e36799c8e4774b37dac6229eb51eced9e913e8"


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
    d = lax.rem(a, c)  # f32[12,2]
    e = lax.ne(d, np.float32(0.0))  # bool[12,2]
    f = lax.lt(d, np.float32(0.0))  # bool[12,2]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[12,2]
    i = lax.bitwise_and(h, e)  # bool[12,2]
    j = lax.add(d, c)  # f32[12,2]
    k = lax.select_n(i, d, j)  # f32[12,2]
    return k


@jax.jit
def remainder_2(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.rem(a, c)  # f32[12,12,2]
    e = lax.ne(d, np.float32(0.0))  # bool[12,12,2]
    f = lax.lt(d, np.float32(0.0))  # bool[12,12,2]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[12,12,2]
    i = lax.bitwise_and(h, e)  # bool[12,12,2]
    j = lax.add(d, c)  # f32[12,12,2]
    k = lax.select_n(i, d, j)  # f32[12,12,2]
    return k, i


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (12,), ())  # f32[12]
    f = lax.broadcast_in_dim(e, (12, 12), (1,))  # f32[12,12]
    g = lax.select_n(a, f, b)  # f32[12,12]
    h = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    return g, h


@jax.jit
def safe_mask(a, b):
    c, d = where(a, b, 0)  # f32[12,12], f32[12,12]  util.py:86
    e = lax.sqrt(c)  # f32[12,12]  util.py:87
    f = lax.div(np.float32(0.5), e)  # f32[12,12]  util.py:87
    g, h = where(a, e, 0)  # f32[12,12], f32[12,12]  util.py:87
    return g, d, f, h


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (12, 12), ())  # f32[12,12]
    f = lax.select_n(a, e, b)  # f32[12,12]
    g = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    return f, g


@jit("_where")
def where_3(a, b, c):
    d = lax.broadcast_in_dim(c, (12, 12), ())  # f32[12,12]
    e = lax.select_n(a, d, b)  # f32[12,12]
    f = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    return e, f


@jax.jit
def safe_mask_2(a, b, c):
    d, e = where_2(a, b, 0)  # f32[12,12], f32[12,12]  util.py:86
    f = lax.div(np.float32(1.0), np.float32(2.0))  # f32[]  energy.py:166
    g = lax.sub(np.float32(1.0), d)  # f32[12,12]  energy.py:166
    h = lax.pow(g, np.float32(2.0))  # f32[12,12]  energy.py:166
    i = lax.sub(np.float32(2.0), np.float32(1.0))  # f32[]  energy.py:166
    j = lax.pow(g, i)  # f32[12,12]  energy.py:166
    k = lax.mul(np.float32(2.0), j)  # f32[12,12]  energy.py:166
    l = lax.mul(f, h)  # f32[12,12]  energy.py:166
    m, n = where_3(a, l, c)  # f32[12,12], f32[12,12]  util.py:87
    return m, e, k, f, n


@jit("_where")
def where_4(a, b, c):
    d = lax.broadcast_in_dim(b, (12, 12), ())  # f32[12,12]
    e = lax.select_n(a, c, d)  # f32[12,12]
    f = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    return e, f


@jax.jit
def nan_to_num(a):
    b = lax.ne(a, a)  # bool[12,12]
    c, d = where_4(b, np.float32(0.0), a)  # f32[12,12], f32[12,12]
    e = lax.eq(c, np.float32(np.inf))  # bool[12,12]
    f, g = where_4(e, np.float32(3.4028235e38), c)  # f32[12,12], f32[12,12]
    h = lax.eq(f, np.float32(-np.inf))  # bool[12,12]
    i, j = where_4(h, np.float32(-3.4028235e38), f)  # f32[12,12], f32[12,12]
    return i, b, d, e, g, h, j


@jit("_where")
def where_5(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    e = lax.select_n(a, c, d)  # f32[12,12]
    return e


@jax.jit
def nan_to_num_2(a, b, c, d, e, f, g):
    h = where_5(e, f, g)  # f32[12,12]
    i = where_5(c, d, h)  # f32[12,12]
    j = where_5(a, b, i)  # f32[12,12]
    return j


@jit("_where")
def where_6(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (12, 12), ())  # f32[12,12]
    e = lax.select_n(a, d, c)  # f32[12,12]
    return e


@jax.jit
def safe_mask_3(a, b, c, d, e, f):
    g = where_6(a, e, f)  # f32[12,12]  util.py:87
    h = lax.mul(d, g)  # f32[12,12]  energy.py:166
    i = lax.mul(h, c)  # f32[12,12]  energy.py:166
    j = lax.neg(i)  # f32[12,12]  energy.py:166
    k = where_6(a, b, j)  # f32[12,12]  util.py:86
    return k


@jax.jit
def safe_mask_4(a, b, c, d, e):
    f = where_6(a, d, e)  # f32[12,12]  util.py:87
    g = lax.mul(f, c)  # f32[12,12]  util.py:87
    h = where_6(a, b, g)  # f32[12,12]  util.py:86
    return h


@jax.jit
def remainder_3(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (12, 12, 2), ())  # f32[12,12,2]
    d = lax.select_n(a, b, c)  # f32[12,12,2]
    e = lax.select_n(a, c, b)  # f32[12,12,2]
    f = primitives.add_jaxvals_p.bind(d, e)  # f32[12,12,2]
    return f


@jax.jit
def step_fn(a, b, c, d):
    e = lax.div(np.float32(0.001), np.float32(2.0))  # f32[]  simulate.py:235
    f = lax.mul(e, c)  # f32[12,2]  simulate.py:171
    g = lax.add(b, f)  # f32[12,2]  simulate.py:171
    h = lax.mul(np.float32(0.001), g)  # f32[12,2]  simulate.py:181
    i = lax.div(h, d)  # f32[12,2]  simulate.py:181
    j = lax.add(a, i)  # f32[12,2]  space.py:235
    k = remainder(j, 4.0)  # f32[12,2]  space.py:235
    l = lax.broadcast_in_dim(k, (12, 1, 2), (0, 2))  # f32[12,1,2]  space.py:193
    m = lax.broadcast_in_dim(k, (1, 12, 2), (1, 2))  # f32[1,12,2]  space.py:193
    n = lax.sub(m, l)  # f32[12,12,2]  space.py:193
    o = lax.mul(np.float32(4.0), np.float32(0.5))  # f32[]  space.py:207
    p = lax.add(n, o)  # f32[12,12,2]  space.py:207
    q, r = remainder_2(p, 4.0)  # f32[12,12,2], bool[12,12,2]  space.py:207
    s = lax.mul(np.float32(0.5), np.float32(4.0))  # f32[]  space.py:207
    t = lax.sub(q, s)  # f32[12,12,2]  space.py:207
    u = lax.integer_pow(t, 2)  # f32[12,12,2]  space.py:218
    v = lax.mul(np.float32(2.0), t)  # f32[12,12,2]  space.py:218
    w = lax.reduce_sum(u, axes=(2,))  # f32[12,12]  space.py:218
    x = lax.gt(w, np.float32(0.0))  # bool[12,12]  space.py:230
    y, z, aa, ab = safe_mask(x, w)  # f32[12,12], f32[12,12], f32[12,12], f32[12,12]  space.py:230
    ac = lax.div(y, np.float32(1.0))  # f32[12,12]  energy.py:165
    ad = lax.lt(ac, np.float32(1.0))  # bool[12,12]  energy.py:171
    ae, af, ag, ah, ai = safe_mask_2(  # f32[12,12], f32[12,12], f32[12,12], f32[], f32[12,12]  energy.py:171
        ad, ac, np.float32(0.0)
    )
    # f32[12,12], bool[12,12], f32[12,12], bool[12,12], f32[12,12], bool[12,12], f32[12,12]  smap.py:399
    aj, ak, al, am, an, ao, ap = nan_to_num(
        ae
    )
    aq = lax.broadcasted_iota(i32, (12, 12), 0)  # i32[12,12]  smap.py:400
    ar = lax.broadcasted_iota(i32, (12, 12), 1)  # i32[12,12]  smap.py:400
    at = lax.add(aq, np.int32(0))  # i32[12,12]  smap.py:400
    au = lax.eq(at, ar)  # bool[12,12]  smap.py:400
    av = lax.convert_element_type(au, f32)  # f32[12,12]  smap.py:400
    aw = lax.sub(np.float32(1.0), av)  # f32[12,12]  smap.py:400
    ax = lax.mul(aw, aj)  # f32[12,12]  smap.py:403
    ay = lax.reduce_sum(ax, axes=(0, 1))  # f32[]  util.py:104
    az = lax.copy_p.bind(ay)  # f32[]  util.py:103
    ba = lax.mul(az, np.float32(0.5))  # f32[]  smap.py:627
    _ = lax.neg(ba)  # f32[]  quantity.py:61
    bb = lax.neg(np.float32(1.0))  # f32[]  quantity.py:61
    bc = lax.mul(bb, np.float32(0.5))  # f32[]  smap.py:627
    bd = lax.copy_p.bind(bc)  # f32[]  util.py:103
    be = lax.broadcast_in_dim(bd, (12, 12), ())  # f32[12,12]  util.py:104
    bf = lax.mul(aw, be)  # f32[12,12]  smap.py:403
    bg = nan_to_num_2(ak, al, am, an, ao, ap, bf)  # f32[12,12]  smap.py:399
    bh = safe_mask_3(ad, af, ag, ah, ai, bg)  # f32[12,12]  energy.py:171
    bi = lax.div(bh, np.float32(1.0))  # f32[12,12]  energy.py:165
    bj = safe_mask_4(x, z, aa, ab, bi)  # f32[12,12]  space.py:230
    bk = lax.broadcast_in_dim(bj, (12, 12, 2), (0, 1))  # f32[12,12,2]  space.py:218
    bl = lax.mul(bk, v)  # f32[12,12,2]  space.py:218
    bm = remainder_3(r, bl)  # f32[12,12,2]  space.py:207
    bn = lax.reduce_sum(bm, axes=(0,))  # f32[12,2]  space.py:193
    bo = lax.reshape(bn, (1, 12, 2))  # f32[1,12,2]  space.py:193
    bp = lax.neg(bm)  # f32[12,12,2]  space.py:193
    bq = lax.reduce_sum(bp, axes=(1,))  # f32[12,2]  space.py:193
    br = lax.reshape(bq, (12, 1, 2))  # f32[12,1,2]  space.py:193
    bs = lax.reduce_sum(bo, axes=(0,))  # f32[12,2]  space.py:193
    bt = lax.reduce_sum(br, axes=(1,))  # f32[12,2]  space.py:193
    bu = primitives.add_jaxvals_p.bind(bs, bt)  # f32[12,2]  space.py:193
    bv = lax.mul(e, bu)  # f32[12,2]  simulate.py:171
    bw = lax.add(g, bv)  # f32[12,2]  simulate.py:171
    return k, bw, bu, d


def body(carry, rows):
    a, b, c, d, e = carry
    f = lax.add(a, 1)  # i32[] weak
    g, h, i, j = step_fn(b, c, d, e)  # f32[12,2], f32[12,2], f32[12,2], f32[]  jaxmd_nve.py:24
    return (f, g, h, i, j), None


def inputs():
    return [
        ARRAYS["x0"],  # a = state.position: f32[12,2]
        ARRAYS["x1"],  # b = state.momentum: f32[12,2]
        ARRAYS["x2"],  # c = state.force: f32[12,2]
        np.float32(1.0),  # d = state.mass: f32[]
    ]


def repro(a, b, c, d):
    (_, e, f, g, h), _ = lax.scan(  # i32[] weak, f32[12,2], f32[12,2], f32[12,2], f32[]  jaxmd_nve.py:24
        body, (0, a, b, c, d), None, length=10
    )
    # result.position, result.momentum, result.force, result.mass
    return e, f, g, h


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
