# /// jace-repro
# schema = 1
# name = "losses"
# origin = "scripts/libraries/optax_losses.py:13 (losses)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f5ea108fef1e43e6793799d61618a6e922787409f127096f8e2450b2d0a24f6f"
# outputs_sha256 = "e05de250c05ef0686659662ccb57c38ca53221631e16fa55681ce4910038221d"
# sidecar_sha256 = "dd8d77d8a7bb90916833f0cfb6f9d3499e5939381c65fe95a86fd82c555e0154"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""losses (optax_losses.py:13): written by jace-repro, needs only jax and numpy."""

import functools
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


SIDECAR_SHA256 = "dd8d77d8a7bb90916833f0cfb6f9d3499e5939381c65fe95a86fd82c555e0154"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(np.array([4, 1, 2, 4, 2, 3], np.int32))


@jit("_one_hot")
def one_hot(a):
    b = lax.broadcast_in_dim(a, (6, 1), (0,))  # i32[6,1]
    c = lax.broadcasted_iota(i32, (1, 5), 1)  # i32[1,5]
    d = lax.eq(b, c)  # bool[6,5]
    e = lax.convert_element_type(d, f32)  # f32[6,5]
    return e


@jax.jit
def log_softmax(a):
    b = lax.reduce_max(a, axes=(1,))  # f32[6]
    c = lax.max(np.float32(-np.inf), b)  # f32[6]
    d = lax.broadcast_in_dim(c, (6, 1), (0,))  # f32[6,1]
    e = lax.stop_gradient_p.bind(d)  # f32[6,1]
    f = lax.sub(a, e)  # f32[6,5]
    g = lax.exp(f)  # f32[6,5]
    h = lax.reduce_sum(g, axes=(1,))  # f32[6]
    i = lax.broadcast_in_dim(h, (6, 1), (0,))  # f32[6,1]
    j = lax.log(i)  # f32[6,1]
    k = lax.sub(f, j)  # f32[6,5]
    return k


@jax.custom_jvp
def logaddexp(a, b):
    c = lax.max(a, b)  # f32[6,5]
    d = lax.sub(a, b)  # f32[6,5]
    e = lax.ne(d, d)  # bool[6,5]
    f = lax.add(a, b)  # f32[6,5]
    g = lax.abs(d)  # f32[6,5]
    h = lax.neg(g)  # f32[6,5]
    i = lax.exp(h)  # f32[6,5]
    j = lax.log1p(i)  # f32[6,5]
    k = lax.add(c, j)  # f32[6,5]
    l = lax.select_n(e, k, f)  # f32[6,5]
    return l


@logaddexp.defjvp
def logaddexp_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = logaddexp(a, b)  # f32[6,5]
    f = lax.eq(a, np.float32(np.inf))  # bool[6,5]
    g = lax.broadcast_in_dim(np.float32(0.0), (6, 5), ())  # f32[6,5]
    h = lax.select_n(f, a, g)  # f32[6,5]
    i = lax.eq(e, np.float32(np.inf))  # bool[6,5]
    j = lax.broadcast_in_dim(np.float32(0.0), (6, 5), ())  # f32[6,5]
    k = lax.select_n(i, e, j)  # f32[6,5]
    l = lax.sub(h, k)  # f32[6,5]
    m = lax.exp(l)  # f32[6,5]
    n = lax.mul(c, m)  # f32[6,5]
    o = lax.eq(b, np.float32(np.inf))  # bool[]
    p = lax.select_n(o, b, np.float32(0.0))  # f32[]
    q = lax.eq(e, np.float32(np.inf))  # bool[6,5]
    r = lax.broadcast_in_dim(np.float32(0.0), (6, 5), ())  # f32[6,5]
    s = lax.select_n(q, e, r)  # f32[6,5]
    t = lax.sub(p, s)  # f32[6,5]
    u = lax.exp(t)  # f32[6,5]
    v = lax.mul(d, u)  # f32[6,5]
    w = lax.add(n, v)  # f32[6,5]
    return e, w


@jax.jit
def softplus(a):
    b = logaddexp(a, np.float32(0.0))  # f32[6,5]
    return b


@jax.jit
def log_sigmoid(a):
    b = lax.neg(a)  # f32[6,5]
    c = softplus(b)  # f32[6,5]
    d = lax.neg(c)  # f32[6,5]
    return d


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (6, 5, 2), ())  # f32[6,5,2]
    f = lax.select_n(a, e, b)  # f32[6,5,2]
    return f


@jit("_where")
def where_2(a, b, c):
    d = lax.broadcast_in_dim(b, (6, 5), ())  # f32[6,5]
    e = lax.select_n(a, c, d)  # f32[6,5]
    return e


@jit("_where")
def where_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (6, 5), ())  # f32[6,5]
    f = lax.select_n(a, c, e)  # f32[6,5]
    return f


@jax.jit
def clip(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.max(c, a)  # f32[6,1]
    return d


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.eq(c, np.int32(0))  # bool[]
    e = where_4(d, np.int32(1), c)  # i32[]
    f = lax.rem(a, e)  # i32[1,3]
    g = lax.ne(f, np.int32(0))  # bool[1,3]
    h = lax.lt(f, np.int32(0))  # bool[1,3]
    i = lax.lt(e, np.int32(0))  # bool[]
    j = lax.ne(h, i)  # bool[1,3]
    k = lax.bitwise_and(j, g)  # bool[1,3]
    l = lax.add(f, e)  # i32[1,3]
    m = lax.select_n(k, f, l)  # i32[1,3]
    return m


@jax.jit
def log_softmax_2(a):
    b = lax.reduce_max(a, axes=(2,))  # f32[1,6]
    c = lax.max(np.float32(-np.inf), b)  # f32[1,6]
    d = lax.broadcast_in_dim(c, (1, 6, 1), (0, 1))  # f32[1,6,1]
    e = lax.stop_gradient_p.bind(d)  # f32[1,6,1]
    f = lax.sub(a, e)  # f32[1,6,5]
    g = lax.exp(f)  # f32[1,6,5]
    h = lax.reduce_sum(g, axes=(2,))  # f32[1,6]
    i = lax.broadcast_in_dim(h, (1, 6, 1), (0, 1))  # f32[1,6,1]
    j = lax.log(i)  # f32[1,6,1]
    k = lax.sub(f, j)  # f32[1,6,5]
    return k


@jit("_pad")
def pad_fn(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((0, 0, 0), (0, 1, 0)))  # f32[1,3]
    return d


@jit("_one_hot")
def one_hot_2(a):
    b = lax.broadcast_in_dim(a, (1, 3, 1), (0, 1))  # i32[1,3,1]
    c = lax.broadcasted_iota(i32, (1, 1, 5), 2)  # i32[1,1,5]
    d = lax.eq(b, c)  # bool[1,3,5]
    e = lax.convert_element_type(d, f32)  # f32[1,3,5]
    return e


@jax.custom_jvp
def logaddexp_2(a, b):
    c = lax.max(a, b)  # f32[1,3]
    d = lax.sub(a, b)  # f32[1,3]
    e = lax.ne(d, d)  # bool[1,3]
    f = lax.add(a, b)  # f32[1,3]
    g = lax.abs(d)  # f32[1,3]
    h = lax.neg(g)  # f32[1,3]
    i = lax.exp(h)  # f32[1,3]
    j = lax.log1p(i)  # f32[1,3]
    k = lax.add(c, j)  # f32[1,3]
    l = lax.select_n(e, k, f)  # f32[1,3]
    return l


@logaddexp_2.defjvp
def logaddexp_2_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = logaddexp_2(a, b)  # f32[1,3]
    f = lax.eq(a, np.float32(np.inf))  # bool[1,3]
    g = lax.broadcast_in_dim(np.float32(0.0), (1, 3), ())  # f32[1,3]
    h = lax.select_n(f, a, g)  # f32[1,3]
    i = lax.eq(e, np.float32(np.inf))  # bool[1,3]
    j = lax.broadcast_in_dim(np.float32(0.0), (1, 3), ())  # f32[1,3]
    k = lax.select_n(i, e, j)  # f32[1,3]
    l = lax.sub(h, k)  # f32[1,3]
    m = lax.exp(l)  # f32[1,3]
    n = lax.mul(c, m)  # f32[1,3]
    o = lax.eq(b, np.float32(np.inf))  # bool[1,3]
    p = lax.broadcast_in_dim(np.float32(0.0), (1, 3), ())  # f32[1,3]
    q = lax.select_n(o, b, p)  # f32[1,3]
    r = lax.eq(e, np.float32(np.inf))  # bool[1,3]
    s = lax.broadcast_in_dim(np.float32(0.0), (1, 3), ())  # f32[1,3]
    t = lax.select_n(r, e, s)  # f32[1,3]
    u = lax.sub(q, t)  # f32[1,3]
    v = lax.exp(u)  # f32[1,3]
    w = lax.mul(d, v)  # f32[1,3]
    x = lax.add(n, w)  # f32[1,3]
    return e, x


def body(a, carry, rows):
    b, c = carry
    d, e, f = rows
    g = lax.mul(np.float32(-100000.0), a)  # f32[1,3]  _classification.py:759
    h = lax.add(c, g)  # f32[1,3]  _classification.py:759
    i = lax.slice(b, (0, 0), (1, 1))  # f32[1,1]  _classification.py:752
    j = lax.slice(b, (0, 1), (1, 4))  # f32[1,3]  _classification.py:752
    k = logaddexp_2(j, h)  # f32[1,3]  _classification.py:752
    l = lax.concatenate([i, k], 1)  # f32[1,4]  _classification.py:751
    m = lax.slice(l, (0, 0), (1, 3))  # f32[1,3]  _classification.py:765
    n = lax.add(m, d)  # f32[1,3]  _classification.py:765
    o = lax.add(c, d)  # f32[1,3]  _classification.py:765
    p = logaddexp_2(n, o)  # f32[1,3]  _classification.py:764
    q = lax.add(l, e)  # f32[1,4]  _classification.py:768
    r = lax.add(c, e)  # f32[1,3]  _classification.py:771
    s = lax.sub(np.float32(1.0), a)  # f32[1,3]  _classification.py:771
    t = lax.mul(np.float32(-100000.0), s)  # f32[1,3]  _classification.py:771
    u = lax.add(r, t)  # f32[1,3]  _classification.py:771
    v = lax.slice(q, (0, 0), (1, 1))  # f32[1,1]  _classification.py:752
    w = lax.slice(q, (0, 1), (1, 4))  # f32[1,3]  _classification.py:752
    x = logaddexp_2(w, u)  # f32[1,3]  _classification.py:752
    y = lax.concatenate([v, x], 1)  # f32[1,4]  _classification.py:751
    z = lax.reshape(f, (1, 1))  # f32[1,1]  _classification.py:774
    aa = lax.mul(z, c)  # f32[1,3]  _classification.py:775
    ab = lax.sub(np.float32(1.0), z)  # f32[1,1]  _classification.py:775
    ac = lax.mul(ab, p)  # f32[1,3]  _classification.py:775
    ad = lax.add(aa, ac)  # f32[1,3]  _classification.py:775
    ae = lax.mul(z, b)  # f32[1,4]  _classification.py:776
    af = lax.sub(np.float32(1.0), z)  # f32[1,1]  _classification.py:776
    ag = lax.mul(af, y)  # f32[1,4]  _classification.py:776
    ah = lax.add(ae, ag)  # f32[1,4]  _classification.py:776
    return (ah, ad), (ah, ad)


@jit("_one_hot")
def one_hot_3(a):
    b = lax.broadcast_in_dim(a, (1, 1), (0,))  # i32[1,1]
    c = lax.broadcasted_iota(i32, (1, 4), 1)  # i32[1,4]
    d = lax.eq(b, c)  # bool[1,4]
    e = lax.convert_element_type(d, f32)  # f32[1,4]
    return e


def inputs():
    return [
        ARRAYS["x0"],  # a = logits: f32[6,5]
    ]


def repro(a):
    b = one_hot(C0)  # f32[6,5]  optax_losses.py:15
    c = lax.mul(np.float32(0.9), b)  # f32[6,5]  _smoothing.py:55
    d = lax.add(c, np.float32(0.02))  # f32[6,5]  _smoothing.py:55
    e = log_softmax(a)  # f32[6,5]  _classification.py:295
    f = lax.mul(d, e)  # f32[6,5]  _classification.py:296
    g = lax.reduce_sum(f, axes=(1,))  # f32[6]  _classification.py:296
    h = lax.neg(g)  # f32[6]  _classification.py:296
    i = lax.reduce_sum(h, axes=(0,))  # f32[]  optax_losses.py:17
    j = lax.div(i, np.float32(6.0))  # f32[]  optax_losses.py:17
    k = log_sigmoid(a)  # f32[6,5]  _classification.py:80
    l = lax.neg(a)  # f32[6,5]  _classification.py:82
    m = log_sigmoid(l)  # f32[6,5]  _classification.py:82
    n = lax.neg(d)  # f32[6,5]  _classification.py:83
    o = lax.mul(n, k)  # f32[6,5]  _classification.py:83
    p = lax.sub(np.float32(1.0), d)  # f32[6,5]  _classification.py:83
    q = lax.mul(p, m)  # f32[6,5]  _classification.py:83
    r = lax.sub(o, q)  # f32[6,5]  _classification.py:83
    s = log_sigmoid(a)  # f32[6,5]  _classification.py:910
    t = lax.neg(a)  # f32[6,5]  _classification.py:911
    u = log_sigmoid(t)  # f32[6,5]  _classification.py:911
    v = lax.stack_p.bind(s, u, axis=2)  # f32[6,5,2]  _classification.py:914
    w = lax.sub(np.float32(1.0), d)  # f32[6,5]  _classification.py:916
    x = lax.stack_p.bind(w, d, axis=2)  # f32[6,5,2]  _classification.py:916
    y = lax.ne(x, np.float32(0.0))  # bool[6,5,2]  _classification.py:913
    z = where(y, v, -np.inf)  # f32[6,5,2]  _classification.py:913
    aa = lax.reduce_max(z, axes=(2,))  # f32[6,5]  _classification.py:913
    ab = lax.max(np.float32(-np.inf), aa)  # f32[6,5]  _classification.py:913
    ac = lax.is_finite(ab)  # bool[6,5]  _classification.py:913
    ad = lax.broadcast_in_dim(np.float32(0.0), (6, 5), ())  # f32[6,5]  _classification.py:913
    ae = lax.select_n(ac, ad, ab)  # f32[6,5]  _classification.py:913
    af = lax.stop_gradient_p.bind(ae)  # f32[6,5]  _classification.py:913
    ag = lax.broadcast_in_dim(af, (6, 5, 1), (0, 1))  # f32[6,5,1]  _classification.py:913
    ah = lax.sub(z, ag)  # f32[6,5,2]  _classification.py:913
    ai = lax.exp(ah)  # f32[6,5,2]  _classification.py:913
    aj = lax.mul(ai, x)  # f32[6,5,2]  _classification.py:913
    ak = lax.reduce_sum(aj, axes=(2,))  # f32[6,5]  _classification.py:913
    al = lax.sign(ak)  # f32[6,5]  _classification.py:913
    am = lax.abs(ak)  # f32[6,5]  _classification.py:913
    an = lax.log(am)  # f32[6,5]  _classification.py:913
    ao = lax.add(an, af)  # f32[6,5]  _classification.py:913
    ap = lax.lt(al, np.float32(0.0))  # bool[6,5]  _classification.py:913
    aq = where_2(ap, np.float32(np.nan), ao)  # f32[6,5]  _classification.py:913
    ar = lax.mul(np.float32(2.0), aq)  # f32[6,5]  _classification.py:920
    at = lax.exp(ar)  # f32[6,5]  _classification.py:920
    au = lax.mul(r, at)  # f32[6,5]  _classification.py:921
    av = lax.reduce_sum(au, axes=(0, 1))  # f32[]  optax_losses.py:18
    aw = lax.div(av, np.float32(30.0))  # f32[]  optax_losses.py:18
    ax = lax.abs(a)  # f32[6,5]  _regression.py:102
    ay = lax.min(ax, np.float32(0.5))  # f32[6,5]  _regression.py:103
    az = lax.sub(ax, ay)  # f32[6,5]  _regression.py:105
    ba = lax.integer_pow(ay, 2)  # f32[6,5]  _regression.py:106
    bb = lax.mul(np.float32(0.5), ba)  # f32[6,5]  _regression.py:106
    bc = lax.mul(np.float32(0.5), az)  # f32[6,5]  _regression.py:106
    bd = lax.add(bb, bc)  # f32[6,5]  _regression.py:106
    be = lax.reduce_sum(bd, axes=(0, 1))  # f32[]  optax_losses.py:19
    bf = lax.div(be, np.float32(30.0))  # f32[]  optax_losses.py:19
    bg = lax.slice(a, (0, 0), (6, 1))  # f32[6,1]  optax_losses.py:20
    bh = lax.squeeze(bg, (1,))  # f32[6]  optax_losses.py:20
    bi = lax.gt(C0, np.int32(2))  # bool[6]  optax_losses.py:20
    bj = lax.convert_element_type_p.bind(  # f32[6] weak  optax_losses.py:20
        bi, new_dtype=f32, sharding=None, weak_type=True
    )
    bk = lax.mul(2.0, bj)  # f32[6] weak  optax_losses.py:20
    bl = lax.sub(bk, weak(1.0, f32))  # f32[6] weak  optax_losses.py:20
    bm = lax.convert_element_type(bl, f32)  # f32[6]  _classification.py:105
    bn = lax.mul(bh, bm)  # f32[6]  _classification.py:105
    bo = lax.sub(np.float32(1.0), bn)  # f32[6]  _classification.py:105
    bp = lax.max(np.float32(0.0), bo)  # f32[6]  _classification.py:105
    bq = lax.reduce_sum(bp, axes=(0,))  # f32[]  optax_losses.py:20
    br = lax.div(bq, np.float32(6.0))  # f32[]  optax_losses.py:20
    bs = log_softmax(a)  # f32[6,5]  optax_losses.py:21
    bt = lax.rev(a, (0,))  # f32[6,5]  optax_losses.py:21
    bu = lax.reduce_max(bt, axes=(1,))  # f32[6]  optax_losses.py:21
    bv = lax.max(np.float32(-np.inf), bu)  # f32[6]  optax_losses.py:21
    bw = lax.broadcast_in_dim(bv, (6, 1), (0,))  # f32[6,1]  optax_losses.py:21
    bx = lax.stop_gradient_p.bind(bw)  # f32[6,1]  optax_losses.py:21
    by = lax.sub(bt, bx)  # f32[6,5]  optax_losses.py:21
    bz = lax.exp(by)  # f32[6,5]  optax_losses.py:21
    ca = lax.reduce_sum(bz, axes=(1,))  # f32[6]  optax_losses.py:21
    cb = lax.broadcast_in_dim(ca, (6, 1), (0,))  # f32[6,1]  optax_losses.py:21
    cc = lax.div(bz, cb)  # f32[6,5]  optax_losses.py:21
    cd = lax.eq(cc, np.float32(0.0))  # bool[6,5]  _classification.py:561
    ce = lax.log(cc)  # f32[6,5]  _classification.py:561
    cf = where_3(cd, 0, ce)  # f32[6,5]  _classification.py:561
    cg = lax.sub(cf, bs)  # f32[6,5]  _classification.py:561
    ch = lax.mul(cc, cg)  # f32[6,5]  _classification.py:560
    ci = lax.reduce_sum(ch, axes=(1,))  # f32[6]  _classification.py:563
    cj = lax.reduce_sum(ci, axes=(0,))  # f32[]  optax_losses.py:21
    ck = lax.div(cj, np.float32(6.0))  # f32[]  optax_losses.py:21
    cl = lax.rev(a, (0,))  # f32[6,5]  optax_losses.py:22
    cm = lax.square(a)  # f32[6,5]  _regression.py:177
    cn = lax.reduce_sum(cm, axes=(1,))  # f32[6]  _regression.py:177
    co = lax.broadcast_in_dim(cn, (6, 1), (0,))  # f32[6,1]  _regression.py:177
    cp = lax.square(cl)  # f32[6,5]  _regression.py:178
    cq = lax.reduce_sum(cp, axes=(1,))  # f32[6]  _regression.py:178
    cr = lax.broadcast_in_dim(cq, (6, 1), (0,))  # f32[6,1]  _regression.py:178
    cs = clip(co, 0.0)  # f32[6,1]  _regression.py:179
    ct = lax.sqrt(cs)  # f32[6,1]  _regression.py:179
    cu = clip(cr, 0.0)  # f32[6,1]  _regression.py:180
    cv = lax.sqrt(cu)  # f32[6,1]  _regression.py:180
    cw = lax.div(a, ct)  # f32[6,5]  _regression.py:181
    cx = lax.div(cl, cv)  # f32[6,5]  _regression.py:182
    cy = lax.mul(cw, cx)  # f32[6,5]  _regression.py:183
    cz = lax.reduce_sum(cy, axes=(1,))  # f32[6]  _regression.py:183
    da = lax.sub(np.float32(1.0), cz)  # f32[6]  _regression.py:220
    db = lax.reduce_sum(da, axes=(0,))  # f32[]  optax_losses.py:22
    dc = lax.div(db, np.float32(6.0))  # f32[]  optax_losses.py:22
    dd = lax.broadcast_in_dim(a, (1, 6, 5), (1, 2))  # f32[1,6,5]  optax_losses.py:24
    de = lax.broadcast_in_dim(np.float32(0.0), (1, 6), ())  # f32[1,6]  optax_losses.py:24
    df = lax.slice(C0, (0,), (3,))  # i32[3]  optax_losses.py:24
    dg = lax.broadcast_in_dim(df, (1, 3), (1,))  # i32[1,3]  optax_losses.py:24
    dh = remainder(dg, 4)  # i32[1,3]  optax_losses.py:24
    di = lax.add(dh, np.int32(1))  # i32[1,3]  optax_losses.py:24
    dj = lax.broadcast_in_dim(np.float32(0.0), (1, 3), ())  # f32[1,3]  optax_losses.py:24
    dk = lax.slice(dd, (0, 0, 0), (1, 6, 1))  # f32[1,6,1]  _classification.py:720
    _ = lax.squeeze(dk, (2,))  # f32[1,6]  _classification.py:720
    dl = log_softmax_2(dd)  # f32[1,6,5]  _classification.py:729
    dm = lax.reduce_sum(dj, axes=(1,))  # f32[1]  _classification.py:730
    dn = lax.convert_element_type(dm, i32)  # i32[1]  _classification.py:730
    do = lax.sub(np.int32(3), dn)  # i32[1]  _classification.py:730
    dp = lax.slice(di, (0, 0), (1, 2))  # i32[1,2]  _classification.py:733
    dq = lax.slice(di, (0, 1), (1, 3))  # i32[1,2]  _classification.py:733
    dr = lax.eq(dp, dq)  # bool[1,2]  _classification.py:733
    ds = lax.convert_element_type(dr, f32)  # f32[1,2]  _classification.py:733
    dt = pad_fn(ds, 0)  # f32[1,3]  _classification.py:734
    du = lax.slice(dl, (0, 0, 0), (1, 6, 1))  # f32[1,6,1]  _classification.py:736
    dv = lax.transpose(du, (1, 0, 2))  # f32[6,1,1]  _classification.py:737
    dw = one_hot_2(di)  # f32[1,3,5]  _classification.py:739
    dx = lax.dot_general(  # f32[1,6,3]  _classification.py:740
        dl, dw, (((2,), (2,)), ((0,), (0,))), preferred_element_type=f32
    )
    dy = lax.transpose(dx, (1, 0, 2))  # f32[6,1,3]  _classification.py:741
    dz = lax.broadcast_in_dim(np.float32(1.0), (1, 4), ())  # f32[1,4]  _classification.py:744
    ea = lax.mul(dz, np.float32(-100000.0))  # f32[1,4]  _classification.py:744
    eb = lax.broadcast_in_dim(np.int32(0), (1,), ())  # i32[1]  _classification.py:746
    ec = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  _classification.py:746
    ed = lax.scatter_p.bind(  # f32[1,4]  _classification.py:746
        ea,
        eb,
        ec,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0,),
            inserted_window_dims=(1,),
            scatter_dims_to_operand_dims=(1,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    ee = lax.broadcast_in_dim(np.float32(1.0), (1, 3), ())  # f32[1,3]  _classification.py:747
    ef = lax.mul(ee, np.float32(-100000.0))  # f32[1,3]  _classification.py:747
    eg = lax.transpose(de, (1, 0))  # f32[6,1]  _classification.py:780
    (_, _), (eh, ei) = lax.scan(  # f32[1,4], f32[1,3], f32[6,1,4], f32[6,1,3]  _classification.py:781
        functools.partial(body, dt), (ed, ef), (dy, dv, eg)
    )
    ej = lax.slice(eh, (5, 0, 0), (6, 1, 4))  # f32[1,1,4]  _classification.py:786
    ek = lax.squeeze(ej, (0,))  # f32[1,4]  _classification.py:786
    el = lax.slice(ei, (5, 0, 0), (6, 1, 3))  # f32[1,1,3]  _classification.py:786
    em = lax.squeeze(el, (0,))  # f32[1,3]  _classification.py:786
    en = lax.slice(ek, (0, 0), (1, 1))  # f32[1,1]  _classification.py:752
    eo = lax.slice(ek, (0, 1), (1, 4))  # f32[1,3]  _classification.py:752
    ep = logaddexp_2(eo, em)  # f32[1,3]  _classification.py:752
    eq = lax.concatenate([en, ep], 1)  # f32[1,4]  _classification.py:751
    er = lax.broadcast_in_dim(np.int32(5), (1,), ())  # i32[1]  _classification.py:787
    _ = lax.scatter_p.bind(  # f32[6,1,4]  _classification.py:787
        eh,
        er,
        eq,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0, 1),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    es = one_hot_3(do)  # f32[1,4]  _classification.py:790
    et = lax.dot_general(  # f32[1]  _classification.py:791
        eq, es, (((1,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    eu = lax.neg(et)  # f32[1]  _classification.py:791
    ev = lax.reduce_sum(eu, axes=(0,))  # f32[]  optax_losses.py:25
    ew = lax.div(ev, np.float32(1.0))  # f32[]  optax_losses.py:25
    # result['cosine'], result['cross_entropy'], result['ctc'], result['focal'], result['hinge'], result['huber'],
    # result['kl']
    return dc, j, ew, aw, br, bf, ck


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
