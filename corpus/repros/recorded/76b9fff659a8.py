# /// jace-repro
# schema = 1
# name = "apply_fn"
# origin = "minimize.py:180 (apply_fn)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "76b9fff659a817e395023bd5d8f30facfdd83a2a30820a69dcdf9fc46472933a"
# outputs_sha256 = "c8cfd7b9325484c69b7e08654805b8fc4b5952ff1c2d231d5e9e84bd76252ee4"
# sidecar_sha256 = "bf12e2df17b3085226d23b903579262350152b849f5a8856a849bd456f3c2298"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""apply_fn (minimize.py:180): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src import core, dtypes, source_info_util
from jax.extend.core import primitives

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def raw(primitive, *args, **params):
    """Stage an equation exactly as given, where bind would simplify it away or rewrite it."""
    trace, source = core.trace_ctx.trace, source_info_util.current()
    known = [x if isinstance(x, core.Tracer) else dtypes.canonicalize_value(x) for x in args]
    operands = [trace.to_jaxpr_tracer(x, source) for x in known]
    if "call_jaxpr" in params:
        body = params["call_jaxpr"]
        avals, effects = [v.aval for v in body.outvars], body.effects
    else:
        avals, effects = primitive.abstract_eval(*[x.aval for x in operands], **params)
    results = trace.emit_eqn(
        operands, avals if primitive.multiple_results else [avals], primitive, params, effects
    )
    return results if primitive.multiple_results else results[0]


SIDECAR_SHA256 = "bf12e2df17b3085226d23b903579262350152b849f5a8856a849bd456f3c2298"


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
def step_fn(a, b, c, d, e, f, g, h):
    i = lax.convert_element_type(h, f32)  # f32[]  simulate.py:234
    j = lax.div(i, np.float32(2.0))  # f32[]  simulate.py:235
    k = lax.mul(j, c)  # f32[12,2]  simulate.py:171
    l = lax.add(b, k)  # f32[12,2]  simulate.py:171
    m = lax.mul(i, l)  # f32[12,2]  simulate.py:181
    n = lax.convert_element_type(d, f32)  # f32[]  simulate.py:181
    o = lax.div(m, n)  # f32[12,2]  simulate.py:181
    p = lax.add(a, o)  # f32[12,2]  space.py:235
    q = remainder(p, 4.0)  # f32[12,2]  space.py:235
    r = lax.broadcast_in_dim(q, (12, 1, 2), (0, 2))  # f32[12,1,2]  space.py:193
    s = lax.broadcast_in_dim(q, (1, 12, 2), (1, 2))  # f32[1,12,2]  space.py:193
    t = lax.sub(s, r)  # f32[12,12,2]  space.py:193
    u = lax.mul(np.float32(4.0), np.float32(0.5))  # f32[]  space.py:207
    v = lax.add(t, u)  # f32[12,12,2]  space.py:207
    w, x = remainder_2(v, 4.0)  # f32[12,12,2], bool[12,12,2]  space.py:207
    y = lax.mul(np.float32(0.5), np.float32(4.0))  # f32[]  space.py:207
    z = lax.sub(w, y)  # f32[12,12,2]  space.py:207
    aa = lax.integer_pow(z, 2)  # f32[12,12,2]  space.py:218
    ab = lax.mul(np.float32(2.0), z)  # f32[12,12,2]  space.py:218
    ac = lax.reduce_sum(aa, axes=(2,))  # f32[12,12]  space.py:218
    ad = lax.gt(ac, np.float32(0.0))  # bool[12,12]  space.py:230
    ae, af, ag, ah = safe_mask(ad, ac)  # f32[12,12], f32[12,12], f32[12,12], f32[12,12]  space.py:230
    ai = lax.div(ae, np.float32(1.0))  # f32[12,12]  energy.py:165
    aj = lax.lt(ai, np.float32(1.0))  # bool[12,12]  energy.py:171
    ak, al, am, an, ao = safe_mask_2(  # f32[12,12], f32[12,12], f32[12,12], f32[], f32[12,12]  energy.py:171
        aj, ai, np.float32(0.0)
    )
    # f32[12,12], bool[12,12], f32[12,12], bool[12,12], f32[12,12], bool[12,12], f32[12,12]  smap.py:399
    ap, aq, ar, at, au, av, aw = nan_to_num(
        ak
    )
    ax = lax.broadcasted_iota(i32, (12, 12), 0)  # i32[12,12]  smap.py:400
    ay = lax.broadcasted_iota(i32, (12, 12), 1)  # i32[12,12]  smap.py:400
    az = lax.add(ax, np.int32(0))  # i32[12,12]  smap.py:400
    ba = lax.eq(az, ay)  # bool[12,12]  smap.py:400
    bb = lax.convert_element_type(ba, f32)  # f32[12,12]  smap.py:400
    bc = lax.sub(np.float32(1.0), bb)  # f32[12,12]  smap.py:400
    bd = lax.mul(bc, ap)  # f32[12,12]  smap.py:403
    be = lax.reduce_sum(bd, axes=(0, 1))  # f32[]  util.py:104
    bf = lax.copy_p.bind(be)  # f32[]  util.py:103
    bg = lax.mul(bf, np.float32(0.5))  # f32[]  smap.py:627
    _ = lax.neg(bg)  # f32[]  quantity.py:61
    bh = lax.neg(np.float32(1.0))  # f32[]  quantity.py:61
    bi = lax.mul(bh, np.float32(0.5))  # f32[]  smap.py:627
    bj = lax.copy_p.bind(bi)  # f32[]  util.py:103
    bk = lax.broadcast_in_dim(bj, (12, 12), ())  # f32[12,12]  util.py:104
    bl = lax.mul(bc, bk)  # f32[12,12]  smap.py:403
    bm = nan_to_num_2(aq, ar, at, au, av, aw, bl)  # f32[12,12]  smap.py:399
    bn = safe_mask_3(aj, al, am, an, ao, bm)  # f32[12,12]  energy.py:171
    bo = lax.div(bn, np.float32(1.0))  # f32[12,12]  energy.py:165
    bp = safe_mask_4(ad, af, ag, ah, bo)  # f32[12,12]  space.py:230
    bq = lax.broadcast_in_dim(bp, (12, 12, 2), (0, 1))  # f32[12,12,2]  space.py:218
    br = lax.mul(bq, ab)  # f32[12,12,2]  space.py:218
    bs = remainder_3(x, br)  # f32[12,12,2]  space.py:207
    bt = lax.reduce_sum(bs, axes=(0,))  # f32[12,2]  space.py:193
    bu = lax.reshape(bt, (1, 12, 2))  # f32[1,12,2]  space.py:193
    bv = lax.neg(bs)  # f32[12,12,2]  space.py:193
    bw = lax.reduce_sum(bv, axes=(1,))  # f32[12,2]  space.py:193
    bx = lax.reshape(bw, (12, 1, 2))  # f32[12,1,2]  space.py:193
    by = lax.reduce_sum(bu, axes=(0,))  # f32[12,2]  space.py:193
    bz = lax.reduce_sum(bx, axes=(1,))  # f32[12,2]  space.py:193
    ca = primitives.add_jaxvals_p.bind(by, bz)  # f32[12,2]  space.py:193
    cb = lax.mul(j, ca)  # f32[12,2]  simulate.py:171
    cc = lax.add(l, cb)  # f32[12,2]  simulate.py:171
    return q, cc, ca, d, e, f, g


@jit("_where")
def where_7(a, b, c):
    d = lax.convert_element_type(c, i32)  # i32[]
    e = lax.select_n(a, d, b)  # i32[]
    return e


@jit("_where")
def where_8(a, b, c):
    d = lax.select_n(a, c, b)  # f16[]
    return d


def inputs():
    return [
        ARRAYS["x0"],  # a = state.position: f32[12,2]
        np.zeros((12, 2), np.float32),  # b = state.momentum: f32[12,2]
        ARRAYS["x2"],  # c = state.force: f32[12,2]
        1.0,  # d = state.mass: f32[] weak
        np.float16(0.1),  # e = state.dt: f16[]
        np.float16(0.1),  # f = state.alpha: f16[]
        np.int32(0),  # g = state.n_pos: i32[]
    ]


def repro(a, b, c, d, e, f, g):
    # f32[12,2], f32[12,2], f32[12,2], f32[] weak, f16[], f16[], i32[]  minimize.py:181
    h, i, j, k, l, m, n = step_fn(
        a, b, c, d, e, f, g, e
    )
    o = lax.integer_pow(j, 2)  # f32[12,2]  minimize.py:187
    p = lax.reduce_sum(o, axes=(0, 1))  # f32[]  minimize.py:187
    q = lax.add(np.float32(0.0), p)  # f32[]  minimize.py:187
    r = lax.add(q, np.float32(1e-06))  # f32[]  minimize.py:187
    s = lax.sqrt(r)  # f32[]  minimize.py:186
    t = lax.integer_pow(i, 2)  # f32[12,2]  minimize.py:190
    u = lax.reduce_sum(t, axes=(0, 1))  # f32[]  minimize.py:190
    v = lax.add(np.float32(0.0), u)  # f32[]  minimize.py:190
    w = lax.sqrt(v)  # f32[]  minimize.py:189
    x = lax.mul(j, i)  # f32[12,2]  minimize.py:201
    y = lax.reduce_sum(x, axes=(0, 1))  # f32[]  minimize.py:201
    z = lax.mul(j, w)  # f32[12,2]  minimize.py:203
    aa = lax.div(z, s)  # f32[12,2]  minimize.py:203
    ab = lax.sub(aa, i)  # f32[12,2]  minimize.py:203
    ac = lax.convert_element_type(m, f32)  # f32[]  minimize.py:203
    ad = lax.mul(ac, ab)  # f32[12,2]  minimize.py:203
    ae = lax.add(i, ad)  # f32[12,2]  minimize.py:203
    af = lax.ge(y, np.float32(0.0))  # bool[]  minimize.py:206
    ag = lax.add(n, np.int32(1))  # i32[]  minimize.py:206
    ah = where_7(af, ag, 0)  # i32[]  minimize.py:206
    ai = lax.mul(l, np.float16(1.1))  # f16[]  minimize.py:207
    aj = lax.broadcast_in_dim(ai, (1,), ())  # f16[1]  minimize.py:207
    ak = lax.broadcast_in_dim(np.float16(0.4), (1,), ())  # f16[1]  minimize.py:207
    al = lax.concatenate([aj, ak], 0)  # f16[2]  minimize.py:207
    am = lax.gt(y, np.float32(0.0))  # bool[]  minimize.py:209
    an = raw(  # i32[]  minimize.py:209
        lax.convert_element_type_p, np.uint8(5), new_dtype=i32, sharding=None, weak_type=False
    )
    ao = lax.gt(ah, an)  # bool[]  minimize.py:209
    ap = lax.reduce_min(al, axes=(0,))  # f16[]  minimize.py:209
    aq = where_8(ao, ap, l)  # f16[]  minimize.py:209
    ar = where_8(am, aq, l)  # f16[]  minimize.py:208
    at = lax.lt(y, np.float32(0.0))  # bool[]  minimize.py:211
    au = lax.mul(ar, np.float16(0.5))  # f16[]  minimize.py:211
    av = where_8(at, au, ar)  # f16[]  minimize.py:211
    aw = lax.gt(y, np.float32(0.0))  # bool[]  minimize.py:213
    ax = raw(  # i32[]  minimize.py:213
        lax.convert_element_type_p, np.uint8(5), new_dtype=i32, sharding=None, weak_type=False
    )
    ay = lax.gt(ah, ax)  # bool[]  minimize.py:213
    az = lax.mul(m, np.float16(0.99))  # f16[]  minimize.py:213
    ba = where_8(ay, az, m)  # f16[]  minimize.py:213
    bb = where_8(aw, ba, m)  # f16[]  minimize.py:212
    bc = lax.lt(y, np.float32(0.0))  # bool[]  minimize.py:215
    bd = where_8(bc, np.float16(0.1), bb)  # f16[]  minimize.py:215
    be = lax.ge(y, np.float32(0.0))  # bool[]  minimize.py:216
    bf = lax.convert_element_type(be, f32)  # f32[]  minimize.py:216
    bg = lax.mul(bf, ae)  # f32[12,2]  minimize.py:216
    # result.position, result.momentum, result.force, result.mass, result.dt, result.alpha, result.n_pos
    return h, bg, j, k, av, bd, ah


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
