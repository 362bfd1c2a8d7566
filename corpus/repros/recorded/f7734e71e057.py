# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/optax_schedules.py:27 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f7734e71e057ddedd920aa9f4baad960aae7a40ae2a8f04635ddd085cdac753e"
# outputs_sha256 = "593f6548b92c25f539c8404d925abbb588f5c3794350c11f57b47d37210c58e3"
# sidecar_sha256 = "b273a68d2d1dafc980eb2c2f1f39fe95a600a08a14a255c398d8844bad437b5c"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (optax_schedules.py:27): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "b273a68d2d1dafc980eb2c2f1f39fe95a600a08a14a255c398d8844bad437b5c"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(ARRAYS["c0"])
C1 = jnp.asarray(ARRAYS["c1"])


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # f32[]
    return d


@jit("_where")
def where_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # f32[5]
    return d


def inputs():
    return [
        np.float32(0.0),  # a = params['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b = params['w']: f32[5]
        np.int32(0),  # c = state[0].count: i32[]
        np.array([0.0], np.float32),  # d = state[0].v_row['b']: f32[1]
        np.array([0.0], np.float32),  # e = state[0].v_row['w']: f32[1]
        np.array([0.0], np.float32),  # f = state[0].v_col['b']: f32[1]
        np.array([0.0], np.float32),  # g = state[0].v_col['w']: f32[1]
        np.float32(0.0),  # h = state[0].v['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # i = state[0].v['w']: f32[5]
    ]


def repro(a, b, c, d, e, f, g, h, i):
    j = lax.dot_general(  # f32[20]  optax_schedules.py:29
        C0, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    k = lax.add(j, a)  # f32[20]  optax_schedules.py:29
    l = lax.sub(k, C1)  # f32[20]  optax_schedules.py:29
    m = lax.integer_pow(l, 2)  # f32[20]  optax_schedules.py:29
    n = lax.mul(np.float32(2.0), l)  # f32[20]  optax_schedules.py:29
    o = lax.reduce_sum(m, axes=(0,))  # f32[]  optax_schedules.py:29
    p = lax.div(o, np.float32(20.0))  # f32[]  optax_schedules.py:29
    q = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  optax_schedules.py:29
    r = lax.broadcast_in_dim(q, (20,), ())  # f32[20]  optax_schedules.py:29
    s = lax.mul(r, n)  # f32[20]  optax_schedules.py:29
    t = lax.reduce_sum(s, axes=(0,))  # f32[]  optax_schedules.py:29
    u = lax.dot_general(  # f32[5]  optax_schedules.py:29
        s, C0, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    v = lax.sub(c, np.int32(0))  # i32[]  factorized.py:170
    w = lax.add(v, np.int32(1))  # i32[]  factorized.py:31
    x = lax.copy_p.bind(w)  # i32[]  factorized.py:31
    y = lax.convert_element_type(x, f32)  # f32[]  factorized.py:31
    z = lax.pow(y, np.float32(-0.8))  # f32[]  factorized.py:32
    aa = lax.sub(np.float32(1.0), z)  # f32[]  factorized.py:32
    ab = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:173
    ac = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:174
    _ = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:175
    ad = lax.mul(t, t)  # f32[]  numerics.py:45
    ae = lax.add(ad, np.float32(1e-30))  # f32[]  factorized.py:199
    af = lax.mul(aa, h)  # f32[]  factorized.py:200
    ag = lax.sub(np.float32(1.0), aa)  # f32[]  factorized.py:200
    ah = lax.mul(ag, ae)  # f32[]  factorized.py:200
    ai = lax.add(af, ah)  # f32[]  factorized.py:200
    aj = lax.pow(ai, np.float32(-0.5))  # f32[]  factorized.py:202
    ak = lax.mul(t, aj)  # f32[]  factorized.py:202
    al = lax.sub(c, np.int32(0))  # i32[]  factorized.py:170
    am = lax.add(al, np.int32(1))  # i32[]  factorized.py:31
    an = lax.copy_p.bind(am)  # i32[]  factorized.py:31
    ao = lax.convert_element_type(an, f32)  # f32[]  factorized.py:31
    ap = lax.pow(ao, np.float32(-0.8))  # f32[]  factorized.py:32
    aq = lax.sub(np.float32(1.0), ap)  # f32[]  factorized.py:32
    ar = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:173
    at = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:174
    _ = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  factorized.py:175
    au = lax.mul(u, u)  # f32[5]  numerics.py:45
    av = lax.add(au, np.float32(1e-30))  # f32[5]  factorized.py:199
    aw = lax.mul(aq, i)  # f32[5]  factorized.py:200
    ax = lax.sub(np.float32(1.0), aq)  # f32[]  factorized.py:200
    ay = lax.mul(ax, av)  # f32[5]  factorized.py:200
    az = lax.add(aw, ay)  # f32[5]  factorized.py:200
    ba = lax.pow(az, np.float32(-0.5))  # f32[5]  factorized.py:202
    bb = lax.mul(u, ba)  # f32[5]  factorized.py:202
    bc = lax.lt(c, np.int32(2147483647))  # bool[]  numerics.py:143
    bd = lax.add(c, np.int32(1))  # i32[]  numerics.py:143
    be = where(bc, bd, np.int32(2147483647))  # i32[]  numerics.py:143
    bf = lax.mul(ak, ak)  # f32[]  numerics.py:45
    bg = lax.reduce_sum_p.bind(bf, axes=(), out_sharding=None)  # f32[]  _clipping.py:68
    bh = lax.div(bg, np.float32(1.0))  # f32[]  _clipping.py:68
    bi = lax.sqrt(bh)  # f32[]  _clipping.py:68
    bj = lax.div(bi, np.float32(1.0))  # f32[]  _clipping.py:68
    bk = lax.max(np.float32(1.0), bj)  # f32[]  _clipping.py:67
    bl = lax.div(ak, bk)  # f32[]  _clipping.py:70
    bm = lax.mul(bb, bb)  # f32[5]  numerics.py:45
    bn = lax.reduce_sum(bm, axes=(0,))  # f32[]  _clipping.py:68
    bo = lax.div(bn, np.float32(5.0))  # f32[]  _clipping.py:68
    bp = lax.sqrt(bo)  # f32[]  _clipping.py:68
    bq = lax.div(bp, np.float32(1.0))  # f32[]  _clipping.py:68
    br = lax.max(np.float32(1.0), bq)  # f32[]  _clipping.py:67
    bs = lax.div(bb, br)  # f32[5]  _clipping.py:70
    bt = lax.mul(np.float32(0.05), bl)  # f32[]  transform.py:507
    bu = lax.mul(np.float32(0.05), bs)  # f32[5]  transform.py:507
    bv = lax.mul(a, a)  # f32[]  numerics.py:45
    bw = lax.reduce_sum_p.bind(bv, axes=(), out_sharding=None)  # f32[]  numerics.py:101
    bx = lax.div(bw, np.float32(1.0))  # f32[]  numerics.py:101
    by = lax.sqrt(bx)  # f32[]  numerics.py:101
    bz = lax.le(by, np.float32(0.001))  # bool[]  numerics.py:102
    ca = where_2(bz, np.float32(1.0), a)  # f32[]  numerics.py:102
    cb = lax.le(by, np.float32(0.001))  # bool[]  numerics.py:103
    cc = lax.mul(ca, ca)  # f32[]  numerics.py:45
    cd = lax.reduce_sum_p.bind(cc, axes=(), out_sharding=None)  # f32[]  numerics.py:103
    ce = lax.div(cd, np.float32(1.0))  # f32[]  numerics.py:103
    cf = lax.sqrt(ce)  # f32[]  numerics.py:103
    cg = where_3(cb, 0.001, cf)  # f32[]  numerics.py:103
    ch = lax.mul(bt, cg)  # f32[]  transform.py:558
    ci = lax.mul(b, b)  # f32[5]  numerics.py:45
    cj = lax.reduce_sum(ci, axes=(0,))  # f32[]  numerics.py:101
    ck = lax.div(cj, np.float32(5.0))  # f32[]  numerics.py:101
    cl = lax.sqrt(ck)  # f32[]  numerics.py:101
    cm = lax.le(cl, np.float32(0.001))  # bool[]  numerics.py:102
    cn = lax.broadcast_in_dim(np.float32(1.0), (5,), ())  # f32[5]  numerics.py:102
    co = where_4(cm, cn, b)  # f32[5]  numerics.py:102
    cp = lax.le(cl, np.float32(0.001))  # bool[]  numerics.py:103
    cq = lax.mul(co, co)  # f32[5]  numerics.py:45
    cr = lax.reduce_sum(cq, axes=(0,))  # f32[]  numerics.py:103
    cs = lax.div(cr, np.float32(5.0))  # f32[]  numerics.py:103
    ct = lax.sqrt(cs)  # f32[]  numerics.py:103
    cu = where_3(cp, 0.001, ct)  # f32[]  numerics.py:103
    cv = lax.mul(bu, cu)  # f32[5]  transform.py:558
    cw = lax.mul(np.float32(-1.0), ch)  # f32[]  transform.py:507
    cx = lax.mul(np.float32(-1.0), cv)  # f32[5]  transform.py:507
    cy = lax.add(a, cw)  # f32[]  update.py:42
    cz = lax.add(b, cx)  # f32[5]  update.py:42
    # result[0]['b'], result[0]['w'], result[1][0].count, result[1][0].v_row['b'], result[1][0].v_row['w'],
    # result[1][0].v_col['b'], result[1][0].v_col['w'], result[1][0].v['b'], result[1][0].v['w'], result[2]
    return cy, cz, be, ab, ar, ac, at, ai, az, p


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
