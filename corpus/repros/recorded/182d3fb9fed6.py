# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/optax_schedules.py:27 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "182d3fb9fed644783d8dd91b9030c35adbee7f7afeae68155d8c6ea8f575b991"
# outputs_sha256 = "6fa7beda7e9d207645be05a0d076b07812f3ca06d38717a7eab66488b75dfda1"
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


def inputs():
    return [
        np.float32(0.0),  # a = params['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b = params['w']: f32[5]
        np.int32(0),  # c = state[1][0].count: i32[]
        np.float32(0.0),  # d = state[1][0].mu['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # e = state[1][0].mu['w']: f32[5]
        np.float32(0.0),  # f = state[1][0].nu['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # g = state[1][0].nu['w']: f32[5]
        np.int32(0),  # h = state[1][2].count: i32[]
    ]


def repro(a, b, c, d, e, f, g, h):
    i = lax.dot_general(  # f32[20]  optax_schedules.py:29
        C0, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    j = lax.add(i, a)  # f32[20]  optax_schedules.py:29
    k = lax.sub(j, C1)  # f32[20]  optax_schedules.py:29
    l = lax.integer_pow(k, 2)  # f32[20]  optax_schedules.py:29
    m = lax.mul(np.float32(2.0), k)  # f32[20]  optax_schedules.py:29
    n = lax.reduce_sum(l, axes=(0,))  # f32[]  optax_schedules.py:29
    o = lax.div(n, np.float32(20.0))  # f32[]  optax_schedules.py:29
    p = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  optax_schedules.py:29
    q = lax.broadcast_in_dim(p, (20,), ())  # f32[20]  optax_schedules.py:29
    r = lax.mul(q, m)  # f32[20]  optax_schedules.py:29
    s = lax.reduce_sum(r, axes=(0,))  # f32[]  optax_schedules.py:29
    t = lax.dot_general(  # f32[5]  optax_schedules.py:29
        r, C0, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    u = lax.square(s)  # f32[]  _tree_math.py:275
    v = lax.square(np.float32(0.0))  # f32[]  _tree_math.py:275
    w = lax.add(u, v)  # f32[]  _tree_math.py:275
    x = lax.square(t)  # f32[5]  _tree_math.py:275
    y = lax.broadcast_in_dim(np.float32(0.0), (5,), ())  # f32[5]  _tree_math.py:275
    z = lax.square(y)  # f32[5]  _tree_math.py:275
    aa = lax.add(x, z)  # f32[5]  _tree_math.py:275
    ab = lax.reduce_sum_p.bind(w, axes=(), out_sharding=None)  # f32[]  _tree_math.py:187
    ac = lax.reduce_sum(aa, axes=(0,))  # f32[]  _tree_math.py:187
    ad = lax.add(np.float32(0.0), ab)  # f32[]  _tree_math.py:199
    ae = lax.add(ad, ac)  # f32[]  _tree_math.py:199
    af = lax.sqrt(ae)  # f32[]  _tree_math.py:294
    ag = lax.copy_p.bind(af)  # f32[]  _tree_math.py:294
    ah = lax.lt(ag, np.float32(1.0))  # bool[]  _clipping.py:101
    ai = lax.div(s, ag)  # f32[]  _clipping.py:105
    aj = lax.mul(ai, np.float32(1.0))  # f32[]  _clipping.py:105
    ak = lax.select_n(ah, aj, s)  # f32[]  _clipping.py:105
    al = lax.div(t, ag)  # f32[5]  _clipping.py:105
    am = lax.mul(al, np.float32(1.0))  # f32[5]  _clipping.py:105
    an = lax.select_n(ah, am, t)  # f32[5]  _clipping.py:105
    ao = lax.integer_pow(ak, 1)  # f32[]  _tree_math.py:398
    ap = lax.mul(np.float32(0.1), ao)  # f32[]  _tree_math.py:398
    aq = lax.mul(np.float32(0.9), d)  # f32[]  _tree_math.py:398
    ar = lax.add(ap, aq)  # f32[]  _tree_math.py:398
    at = lax.integer_pow(an, 1)  # f32[5]  _tree_math.py:398
    au = lax.mul(np.float32(0.1), at)  # f32[5]  _tree_math.py:398
    av = lax.mul(np.float32(0.9), e)  # f32[5]  _tree_math.py:398
    aw = lax.add(au, av)  # f32[5]  _tree_math.py:398
    ax = lax.integer_pow(ak, 2)  # f32[]  _tree_math.py:423
    ay = lax.mul(np.float32(0.001), ax)  # f32[]  _tree_math.py:433
    az = lax.mul(np.float32(0.999), f)  # f32[]  _tree_math.py:433
    ba = lax.add(ay, az)  # f32[]  _tree_math.py:433
    bb = lax.integer_pow(an, 2)  # f32[5]  _tree_math.py:423
    bc = lax.mul(np.float32(0.001), bb)  # f32[5]  _tree_math.py:433
    bd = lax.mul(np.float32(0.999), g)  # f32[5]  _tree_math.py:433
    be = lax.add(bc, bd)  # f32[5]  _tree_math.py:433
    bf = lax.lt(c, np.int32(2147483647))  # bool[]  numerics.py:143
    bg = lax.add(c, np.int32(1))  # i32[]  numerics.py:143
    bh = where(bf, bg, np.int32(2147483647))  # i32[]  numerics.py:143
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:294
        bh, new_dtype=f32, sharding=None, weak_type=True
    )
    bi = lax.pow(0.9, bh)  # f32[]  transform.py:294
    bj = lax.sub(np.float32(1.0), bi)  # f32[]  transform.py:294
    bk = lax.div(ar, bj)  # f32[]  transform.py:294
    bl = lax.div(aw, bj)  # f32[5]  transform.py:294
    _ = lax.convert_element_type_p.bind(  # f32[] weak  transform.py:298
        bh, new_dtype=f32, sharding=None, weak_type=True
    )
    bm = lax.pow(0.999, bh)  # f32[]  transform.py:298
    bn = lax.sub(np.float32(1.0), bm)  # f32[]  transform.py:298
    bo = lax.div(ba, bn)  # f32[]  transform.py:298
    bp = lax.div(be, bn)  # f32[5]  transform.py:298
    bq = lax.add(bo, np.float32(0.0))  # f32[]  transform.py:300
    br = lax.sqrt(bq)  # f32[]  transform.py:300
    bs = lax.add(br, np.float32(1e-08))  # f32[]  transform.py:300
    bt = lax.div(bk, bs)  # f32[]  transform.py:300
    bu = lax.add(bp, np.float32(0.0))  # f32[5]  transform.py:300
    bv = lax.sqrt(bu)  # f32[5]  transform.py:300
    bw = lax.add(bv, np.float32(1e-08))  # f32[5]  transform.py:300
    bx = lax.div(bl, bw)  # f32[5]  transform.py:300
    by = lax.mul(np.float32(0.001), a)  # f32[]  _adding.py:73
    bz = lax.add(bt, by)  # f32[]  _adding.py:73
    ca = lax.mul(np.float32(0.001), b)  # f32[5]  _adding.py:73
    cb = lax.add(bx, ca)  # f32[5]  _adding.py:73
    cc = lax.sub(h, np.int32(0))  # i32[]  _schedule.py:141
    cd = clip(cc, 0, 2)  # i32[]  _schedule.py:141
    ce = lax.convert_element_type(cd, f32)  # f32[]  _schedule.py:142
    cf = lax.div(ce, np.float32(2.0))  # f32[]  _schedule.py:142
    cg = lax.sub(np.float32(1.0), cf)  # f32[]  _schedule.py:142
    ch = lax.integer_pow(cg, 1)  # f32[]  _schedule.py:143
    ci = lax.mul(np.float32(-0.1), ch)  # f32[]  _schedule.py:143
    cj = lax.add(ci, np.float32(0.1))  # f32[]  _schedule.py:143
    ck = lax.lt(h, np.int32(2))  # bool[]  _join.py:43
    cl = lax.sub(h, np.int32(2))  # i32[]  _join.py:43
    cm = lax.convert_element_type_p.bind(  # f32[] weak  _schedule.py:384
        cl, new_dtype=f32, sharding=None, weak_type=True
    )
    cn = lax.min(cm, 8.0)  # f32[] weak  _schedule.py:384
    co = lax.mul(3.141592653589793, cn)  # f32[] weak  _schedule.py:385
    cp = lax.div(co, 8.0)  # f32[] weak  _schedule.py:385
    cq = lax.cos(cp)  # f32[] weak  _schedule.py:385
    cr = lax.add(weak(1.0, f32), cq)  # f32[] weak  _schedule.py:385
    cs = lax.mul(0.5, cr)  # f32[] weak  _schedule.py:385
    ct = lax.pow(cs, 1.0)  # f32[] weak  _schedule.py:386
    cu = lax.mul(1.0, ct)  # f32[] weak  _schedule.py:386
    cv = lax.add(cu, 0.0)  # f32[] weak  _schedule.py:386
    cw = lax.mul(0.1, cv)  # f32[] weak  _schedule.py:387
    cx = where_2(ck, cj, cw)  # f32[]  _join.py:43
    cy = lax.mul(np.float32(-1.0), cx)  # f32[]  transform.py:1004
    cz = lax.copy_p.bind(cy)  # f32[]  transform.py:1029
    da = lax.mul(cz, bz)  # f32[]  transform.py:1029
    db = lax.copy_p.bind(cy)  # f32[]  transform.py:1029
    dc = lax.mul(db, cb)  # f32[5]  transform.py:1029
    dd = lax.lt(h, np.int32(2147483647))  # bool[]  numerics.py:143
    de = lax.add(h, np.int32(1))  # i32[]  numerics.py:143
    df = where(dd, de, np.int32(2147483647))  # i32[]  numerics.py:143
    dg = lax.add(a, da)  # f32[]  update.py:42
    dh = lax.add(b, dc)  # f32[5]  update.py:42
    # result[0]['b'], result[0]['w'], result[1][1][0].count, result[1][1][0].mu['b'], result[1][1][0].mu['w'],
    # result[1][1][0].nu['b'], result[1][1][0].nu['w'], result[1][1][2].count, result[2]
    return dg, dh, bh, ar, aw, ba, be, df, o


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
