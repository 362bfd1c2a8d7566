# /// jace-repro
# schema = 1
# name = "update"
# origin = "gradient_descent.py:80 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "99d5d89f91902a5da7ba9f6ceaa27fbd766914fbfbd95acef863ee97245fd0f0"
# outputs_sha256 = "5e7c75799da82b9228cc42a87fa62f57ec86d344fc95f933f9c4097d2b0260d9"
# sidecar_sha256 = "1932410f23080fa94289196c6b81496e3dd7ea50211c203ac24c61ccf9f09952"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (gradient_descent.py:80): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


SIDECAR_SHA256 = "1932410f23080fa94289196c6b81496e3dd7ea50211c203ac24c61ccf9f09952"


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
    d = lax.ne(a, np.int32(0))  # bool[20]
    e = lax.select_n(d, c, b)  # f32[20]
    return e, d


@jax.custom_jvp
def logaddexp(a, b):
    c = lax.max(a, b)  # f32[20]
    d = lax.sub(a, b)  # f32[20]
    e = lax.ne(d, d)  # bool[20]
    f = lax.add(a, b)  # f32[20]
    g = lax.abs(d)  # f32[20]
    h = lax.neg(g)  # f32[20]
    i = lax.exp(h)  # f32[20]
    j = lax.log1p(i)  # f32[20]
    k = lax.add(c, j)  # f32[20]
    l = lax.select_n(e, k, f)  # f32[20]
    return l


@logaddexp.defjvp
def logaddexp_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = logaddexp(a, b)  # f32[20]
    f = lax.eq(a, np.float32(np.inf))  # bool[20]
    g = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    h = lax.select_n(f, a, g)  # f32[20]
    i = lax.eq(e, np.float32(np.inf))  # bool[20]
    j = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    k = lax.select_n(i, e, j)  # f32[20]
    l = lax.sub(h, k)  # f32[20]
    m = lax.exp(l)  # f32[20]
    n = lax.mul(c, m)  # f32[20]
    o = lax.eq(b, np.float32(np.inf))  # bool[]
    p = lax.select_n(o, b, np.float32(0.0))  # f32[]
    q = lax.eq(e, np.float32(np.inf))  # bool[20]
    r = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    s = lax.select_n(q, e, r)  # f32[20]
    t = lax.sub(p, s)  # f32[20]
    u = lax.exp(t)  # f32[20]
    v = lax.mul(d, u)  # f32[20]
    w = lax.add(n, v)  # f32[20]
    return e, w


@jax.jit
def softplus(a):
    b = logaddexp(a, np.float32(0.0))  # f32[20]
    c = lax.eq(a, np.float32(np.inf))  # bool[20]
    d = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    e = lax.select_n(c, a, d)  # f32[20]
    f = lax.eq(b, np.float32(np.inf))  # bool[20]
    g = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    h = lax.select_n(f, b, g)  # f32[20]
    i = lax.sub(e, h)  # f32[20]
    j = lax.exp(i)  # f32[20]
    k = lax.eq(np.float32(0.0), np.float32(np.inf))  # bool[]
    l = lax.select_n(k, np.float32(0.0), np.float32(0.0))  # f32[]
    m = lax.eq(b, np.float32(np.inf))  # bool[20]
    n = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    o = lax.select_n(m, b, n)  # f32[20]
    p = lax.sub(l, o)  # f32[20]
    q = lax.exp(p)  # f32[20]
    r = lax.mul(np.float32(0.0), q)  # f32[20]
    return b, j, r


@jax.jit
def softplus_2(a, b, c):
    d = lax.mul(c, a)  # f32[20]
    return d


@jit("_where")
def where_2(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    d = lax.select_n(a, b, c)  # f32[20]
    e = lax.select_n(a, c, b)  # f32[20]
    return e, d


def inputs():
    return [
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # a = params: f32[4]
        0,  # b = state.iter_num: i32[] weak
        np.float32(1.0),  # c = state.stepsize: f32[]
        np.float32(np.inf),  # d = state.error: f32[]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # e = state.velocity: f32[4]
        1.0,  # f = state.t: f32[] weak
        0.1,  # g = kwargs['regularisation']: f32[] weak
    ]


def repro(a, b, c, d, e, f, g):
    h = lax.dot_general(  # f32[20]  jaxopt_lbfgs.py:14
        C0, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    i = lax.neg(h)  # f32[20]  loss.py:64
    j, k = where(C1, i, h)  # f32[20], bool[20]  loss.py:64
    l, m, n = softplus(j)  # f32[20], f32[20], f32[20]  loss.py:64
    o = lax.reduce_sum(l, axes=(0,))  # f32[]  jaxopt_lbfgs.py:15
    p = lax.div(o, np.float32(20.0))  # f32[]  jaxopt_lbfgs.py:15
    q = lax.integer_pow(e, 2)  # f32[4]  jaxopt_lbfgs.py:15
    r = lax.mul(np.float32(2.0), e)  # f32[4]  jaxopt_lbfgs.py:15
    s = lax.reduce_sum(q, axes=(0,))  # f32[]  jaxopt_lbfgs.py:15
    t = lax.convert_element_type(g, f32)  # f32[]  jaxopt_lbfgs.py:15
    u = lax.mul(t, s)  # f32[]  jaxopt_lbfgs.py:15
    _ = lax.add(p, u)  # f32[]  jaxopt_lbfgs.py:15
    v = lax.mul(t, np.float32(1.0))  # f32[]  jaxopt_lbfgs.py:15
    w = lax.broadcast_in_dim(v, (4,), ())  # f32[4]  jaxopt_lbfgs.py:15
    x = lax.mul(w, r)  # f32[4]  jaxopt_lbfgs.py:15
    y = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  jaxopt_lbfgs.py:15
    z = lax.broadcast_in_dim(y, (20,), ())  # f32[20]  jaxopt_lbfgs.py:15
    aa = softplus_2(m, n, z)  # f32[20]  loss.py:64
    ab, ac = where_2(k, aa)  # f32[20], f32[20]  loss.py:64
    ad = lax.neg(ab)  # f32[20]  loss.py:64
    ae = primitives.add_jaxvals_p.bind(ac, ad)  # f32[20]  loss.py:64
    af = lax.dot_general(  # f32[4]  jaxopt_lbfgs.py:14
        ae, C0, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    ag = primitives.add_jaxvals_p.bind(x, af)  # f32[4]  jaxopt_lbfgs.py:14
    ah = lax.mul(np.float32(-0.5), ag)  # f32[4]  tree_util.py:91
    ai = lax.add(e, ah)  # f32[4]  tree_util.py:91
    aj = lax.integer_pow(f, 2)  # f32[] weak  proximal_gradient.py:268
    ak = lax.mul(weak(4.0, f32), aj)  # f32[] weak  proximal_gradient.py:268
    al = lax.add(weak(1.0, f32), ak)  # f32[] weak  proximal_gradient.py:268
    am = lax.sqrt(al)  # f32[] weak  proximal_gradient.py:268
    an = lax.add(weak(1.0, f32), am)  # f32[] weak  proximal_gradient.py:268
    ao = lax.mul(0.5, an)  # f32[] weak  proximal_gradient.py:268
    ap = lax.sub(ai, a)  # f32[4]  proximal_gradient.py:269
    aq = lax.sub(f, weak(1.0, f32))  # f32[] weak  proximal_gradient.py:270
    ar = lax.div(aq, ao)  # f32[] weak  proximal_gradient.py:270
    at = lax.convert_element_type(ar, f32)  # f32[]  tree_util.py:91
    au = lax.mul(at, ap)  # f32[4]  tree_util.py:91
    av = lax.add(ai, au)  # f32[4]  tree_util.py:91
    aw = lax.square(ap)  # f32[4]  tree_util.py:140
    ax = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  tree_util.py:140
    ay = lax.square(ax)  # f32[4]  tree_util.py:140
    az = lax.add(aw, ay)  # f32[4]  tree_util.py:140
    ba = lax.reduce_sum(az, axes=(0,))  # f32[]  tree_util.py:134
    bb = lax.sqrt(ba)  # f32[]  tree_util.py:145
    bc = lax.div(bb, np.float32(0.5))  # f32[]  proximal_gradient.py:206
    bd = lax.add(b, 1)  # i32[] weak  proximal_gradient.py:272
    # result.params, result.state.iter_num, result.state.stepsize, result.state.error, result.state.velocity,
    # result.state.t
    return ai, bd, np.float32(0.5), bc, av, ao


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
