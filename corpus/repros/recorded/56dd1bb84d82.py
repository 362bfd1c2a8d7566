# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/optax_schedules.py:27 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "56dd1bb84d82f6398ace08692f33345b916574ee54804354f17d5205a268dc93"
# outputs_sha256 = "06b840ead695fd44d7a628f73dd842eb6b14f1fbf7d607f08b7696da2cd1b79d"
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


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(b, i32)  # i32[]
    e = lax.max(d, a)  # i32[]
    f = lax.convert_element_type(c, i32)  # i32[]
    g = lax.min(f, e)  # i32[]
    return g


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.select_n(a, d, b)  # f32[]
    return e


@jit("_where")
def where_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


def inputs():
    return [
        np.float32(0.0),  # a = params['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b = params['w']: f32[5]
        np.int32(0),  # c = state[0].count: i32[]
        np.float32(0.0),  # d = state[0].mu['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # e = state[0].mu['w']: f32[5]
        np.int32(0),  # f = state[2].count: i32[]
    ]


def repro(a, b, c, d, e, f):
    g = lax.dot_general(  # f32[20]  optax_schedules.py:29
        C0, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    h = lax.add(g, a)  # f32[20]  optax_schedules.py:29
    i = lax.sub(h, C1)  # f32[20]  optax_schedules.py:29
    j = lax.integer_pow(i, 2)  # f32[20]  optax_schedules.py:29
    k = lax.mul(np.float32(2.0), i)  # f32[20]  optax_schedules.py:29
    l = lax.reduce_sum(j, axes=(0,))  # f32[]  optax_schedules.py:29
    m = lax.div(l, np.float32(20.0))  # f32[]  optax_schedules.py:29
    n = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  optax_schedules.py:29
    o = lax.broadcast_in_dim(n, (20,), ())  # f32[20]  optax_schedules.py:29
    p = lax.mul(o, k)  # f32[20]  optax_schedules.py:29
    q = lax.reduce_sum(p, axes=(0,))  # f32[]  optax_schedules.py:29
    r = lax.dot_general(  # f32[5]  optax_schedules.py:29
        p, C0, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    s = lax.mul(np.float32(0.1), q)  # f32[]  transform.py:472
    t = lax.mul(np.float32(0.9), d)  # f32[]  transform.py:472
    u = lax.add(s, t)  # f32[]  transform.py:472
    v = lax.sign(u)  # f32[]  transform.py:474
    w = lax.mul(np.float32(0.1), r)  # f32[5]  transform.py:472
    x = lax.mul(np.float32(0.9), e)  # f32[5]  transform.py:472
    y = lax.add(w, x)  # f32[5]  transform.py:472
    z = lax.sign(y)  # f32[5]  transform.py:474
    aa = lax.integer_pow(q, 1)  # f32[]  _tree_math.py:398
    ab = lax.mul(np.float32(0.01), aa)  # f32[]  _tree_math.py:398
    ac = lax.mul(np.float32(0.99), d)  # f32[]  _tree_math.py:398
    ad = lax.add(ab, ac)  # f32[]  _tree_math.py:398
    ae = lax.integer_pow(r, 1)  # f32[5]  _tree_math.py:398
    af = lax.mul(np.float32(0.01), ae)  # f32[5]  _tree_math.py:398
    ag = lax.mul(np.float32(0.99), e)  # f32[5]  _tree_math.py:398
    ah = lax.add(af, ag)  # f32[5]  _tree_math.py:398
    ai = lax.lt(c, np.int32(2147483647))  # bool[]  numerics.py:143
    aj = lax.add(c, np.int32(1))  # i32[]  numerics.py:143
    ak = where(ai, aj, np.int32(2147483647))  # i32[]  numerics.py:143
    al = lax.mul(np.float32(0.001), a)  # f32[]  _adding.py:73
    am = lax.add(v, al)  # f32[]  _adding.py:73
    an = lax.mul(np.float32(0.001), b)  # f32[5]  _adding.py:73
    ao = lax.add(z, an)  # f32[5]  _adding.py:73
    ap = lax.lt(f, np.int32(2))  # bool[]  _join.py:43
    aq = lax.sub(f, np.int32(2))  # i32[]  _join.py:43
    ar = lax.sub(aq, np.int32(0))  # i32[]  _schedule.py:141
    at = clip(ar, 0, 2)  # i32[]  _schedule.py:141
    au = lax.convert_element_type(at, f32)  # f32[]  _schedule.py:142
    av = lax.div(au, np.float32(2.0))  # f32[]  _schedule.py:142
    aw = lax.sub(np.float32(1.0), av)  # f32[]  _schedule.py:142
    ax = lax.integer_pow(aw, 1)  # f32[]  _schedule.py:143
    ay = lax.mul(np.float32(-0.1), ax)  # f32[]  _schedule.py:143
    az = lax.add(ay, np.float32(0.1))  # f32[]  _schedule.py:143
    ba = lax.lt(aq, np.int32(2))  # bool[]  _join.py:43
    bb = lax.sub(aq, np.int32(2))  # i32[]  _join.py:43
    bc = lax.convert_element_type_p.bind(  # f32[] weak  _schedule.py:384
        bb, new_dtype=f32, sharding=None, weak_type=True
    )
    bd = lax.min(bc, 8.0)  # f32[] weak  _schedule.py:384
    be = lax.mul(3.141592653589793, bd)  # f32[] weak  _schedule.py:385
    bf = lax.div(be, 8.0)  # f32[] weak  _schedule.py:385
    bg = lax.cos(bf)  # f32[] weak  _schedule.py:385
    bh = lax.add(weak(1.0, f32), bg)  # f32[] weak  _schedule.py:385
    bi = lax.mul(0.5, bh)  # f32[] weak  _schedule.py:385
    bj = lax.pow(bi, 1.0)  # f32[] weak  _schedule.py:386
    bk = lax.mul(1.0, bj)  # f32[] weak  _schedule.py:386
    bl = lax.add(bk, 0.0)  # f32[] weak  _schedule.py:386
    bm = lax.mul(0.1, bl)  # f32[] weak  _schedule.py:387
    bn = where_2(ba, az, bm)  # f32[]  _join.py:43
    bo = where_3(ap, 0.01, bn)  # f32[]  _join.py:43
    bp = lax.mul(np.float32(-1.0), bo)  # f32[]  transform.py:1004
    bq = lax.copy_p.bind(bp)  # f32[]  transform.py:1029
    br = lax.mul(bq, am)  # f32[]  transform.py:1029
    bs = lax.copy_p.bind(bp)  # f32[]  transform.py:1029
    bt = lax.mul(bs, ao)  # f32[5]  transform.py:1029
    bu = lax.lt(f, np.int32(2147483647))  # bool[]  numerics.py:143
    bv = lax.add(f, np.int32(1))  # i32[]  numerics.py:143
    bw = where(bu, bv, np.int32(2147483647))  # i32[]  numerics.py:143
    bx = lax.add(a, br)  # f32[]  update.py:42
    by = lax.add(b, bt)  # f32[5]  update.py:42
    # result[0]['b'], result[0]['w'], result[1][0].count, result[1][0].mu['b'], result[1][0].mu['w'],
    # result[1][2].count, result[2]
    return bx, by, ak, ad, ah, bw, m


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
