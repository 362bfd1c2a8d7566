# /// jace-repro
# schema = 1
# name = "update"
# origin = "proximal_gradient.py:287 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "450bea9eccbe0c0ff531f07121c58aa3ebe46d40dba92a69ff4a08216b095c01"
# outputs_sha256 = "657dee871019e01ad3398340a70523cda8c8ff7bbe963108cc51dce7cda1317b"
# sidecar_sha256 = "2c6a88bd789b3fdf6ae183bdb7fe4d3328cc5ed50f3cab1ad113ae0c715199bd"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (proximal_gradient.py:287): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

bool_ = np.dtype("bool")
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


SIDECAR_SHA256 = "2c6a88bd789b3fdf6ae183bdb7fe4d3328cc5ed50f3cab1ad113ae0c715199bd"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def cond(a, b, c, d, e, carry):
    f, g, h = carry
    i = lax.sub(g, a)  # f32[4]  proximal_gradient.py:61
    j = lax.square(i)  # f32[4]  tree_util.py:140
    k = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  tree_util.py:140
    l = lax.square(k)  # f32[4]  tree_util.py:140
    m = lax.add(j, l)  # f32[4]  tree_util.py:140
    n = lax.reduce_sum(m, axes=(0,))  # f32[]  tree_util.py:134
    o = lax.dot_general(  # f32[15]  jaxopt_constrained.py:15
        b, g, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.sub(o, c)  # f32[15]  jaxopt_constrained.py:15
    q = lax.integer_pow(p, 2)  # f32[15]  jaxopt_constrained.py:15
    r = lax.reduce_sum(q, axes=(0,))  # f32[]  jaxopt_constrained.py:15
    s = lax.div(r, np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    t = lax.sub(s, d)  # f32[]  proximal_gradient.py:66
    u = lax.mul(h, t)  # f32[]  proximal_gradient.py:66
    v = lax.dot_general(  # f32[]  tree_util.py:98
        i, e, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    w = lax.mul(h, v)  # f32[]  proximal_gradient.py:67
    x = lax.mul(np.float32(0.5), n)  # f32[]  proximal_gradient.py:67
    y = lax.add(w, x)  # f32[]  proximal_gradient.py:67
    z = lax.add(y, np.float32(1.1920929e-07))  # f32[]  proximal_gradient.py:68
    aa = lax.gt(u, z)  # bool[]  proximal_gradient.py:68
    ab = lax.le(f, 14)  # bool[] weak  loop.py:53
    ac = lax.convert_element_type(ab, bool_)  # bool[]  loop.py:53
    ad = lax.bitwise_and(aa, ac)  # bool[]  loop.py:53
    return ad


def body(a, b, c, d, carry):
    e, f, g = carry
    h = lax.convert_element_type(a, f32)  # f32[]  proximal_gradient.py:72
    i = lax.mul(g, h)  # f32[]  proximal_gradient.py:72
    j = lax.neg(i)  # f32[]  proximal_gradient.py:209
    k = lax.mul(j, b)  # f32[4]  tree_util.py:91
    l = lax.add(c, k)  # f32[4]  tree_util.py:91
    m = lax.broadcast_in_dim(np.float32(1.0), (4,), ())  # f32[4]  prox.py:74
    n = lax.convert_element_type(d, f32)  # f32[]  prox.py:74
    o = lax.mul(n, m)  # f32[4]  prox.py:74
    p = lax.sign(l)  # f32[4]  prox.py:76
    q = lax.abs(l)  # f32[4]  prox.py:76
    r = lax.mul(o, i)  # f32[4]  prox.py:76
    s = lax.sub(q, r)  # f32[4]  prox.py:76
    t = jax.nn.relu(s)  # f32[4]  prox.py:76
    u = lax.mul(p, t)  # f32[4]  prox.py:76
    v = lax.add(e, 1)  # i32[] weak  loop.py:58
    return v, u, i


@jax.jit
def call(a, b, c, d, e, f, g, h):
    i = lax.neg(d)  # f32[]  proximal_gradient.py:209
    j = lax.mul(i, c)  # f32[4]  tree_util.py:91
    k = lax.add(a, j)  # f32[4]  tree_util.py:91
    l = lax.broadcast_in_dim(np.float32(1.0), (4,), ())  # f32[4]  prox.py:74
    m = lax.convert_element_type(f, f32)  # f32[]  prox.py:74
    n = lax.mul(m, l)  # f32[4]  prox.py:74
    o = lax.sign(k)  # f32[4]  prox.py:76
    p = lax.abs(k)  # f32[4]  prox.py:76
    q = lax.mul(n, d)  # f32[4]  prox.py:76
    r = lax.sub(p, q)  # f32[4]  prox.py:76
    s = jax.nn.relu(r)  # f32[4]  prox.py:76
    t = lax.mul(o, s)  # f32[4]  prox.py:76
    _, u, v = lax.while_loop(  # i32[] weak, f32[4], f32[]  loop.py:60
        functools.partial(cond, a, g, h, b, c), functools.partial(body, e, c, a, f), (0, t, d)
    )
    return u, v


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


def inputs():
    return [
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # a = params: f32[4]
        0,  # b = state.iter_num: i32[] weak
        np.float32(1.0),  # c = state.stepsize: f32[]
        np.float32(np.inf),  # d = state.error: f32[]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # e = state.velocity: f32[4]
        1.0,  # f = state.t: f32[] weak
        ARRAYS["x6"],  # g = kwargs['data'][0]: f32[15,4]
        # h = kwargs['data'][1]: f32[15]
        np.array(
            [
                0.6480646,
                -0.19673006,
                -0.17874637,
                -0.105259776,
                0.6498697,
                -1.0663396,
                -1.5298765,
                -2.4338768,
                1.1986709,
                0.07379336,
                1.5101194,
                -0.008956298,
                -0.74215543,
                0.4779293,
                -0.076588415,
            ],
            np.float32,
        ),
        0.1,  # i = hyperparams_prox: f32[] weak
    ]


def repro(a, b, c, d, e, f, g, h, i):
    j = lax.dot_general(  # f32[15]  jaxopt_constrained.py:15
        g, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    k = lax.sub(j, h)  # f32[15]  jaxopt_constrained.py:15
    l = lax.integer_pow(k, 2)  # f32[15]  jaxopt_constrained.py:15
    m = lax.mul(np.float32(2.0), k)  # f32[15]  jaxopt_constrained.py:15
    n = lax.reduce_sum(l, axes=(0,))  # f32[]  jaxopt_constrained.py:15
    o = lax.div(n, np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    p = lax.div(np.float32(1.0), np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    q = lax.broadcast_in_dim(p, (15,), ())  # f32[15]  jaxopt_constrained.py:15
    r = lax.mul(q, m)  # f32[15]  jaxopt_constrained.py:15
    s = lax.dot_general(  # f32[4]  jaxopt_constrained.py:15
        r, g, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    t, u = call(e, o, s, c, 0.5, i, g, h)  # f32[4], f32[]  proximal_gradient.py:224
    v = lax.le(u, np.float32(1e-06))  # bool[]  proximal_gradient.py:231
    w = lax.div(u, np.float32(0.5))  # f32[]  proximal_gradient.py:232
    x = where(v, 1.0, w)  # f32[]  proximal_gradient.py:231
    y = lax.integer_pow(f, 2)  # f32[] weak  proximal_gradient.py:268
    z = lax.mul(weak(4.0, f32), y)  # f32[] weak  proximal_gradient.py:268
    aa = lax.add(weak(1.0, f32), z)  # f32[] weak  proximal_gradient.py:268
    ab = lax.sqrt(aa)  # f32[] weak  proximal_gradient.py:268
    ac = lax.add(weak(1.0, f32), ab)  # f32[] weak  proximal_gradient.py:268
    ad = lax.mul(0.5, ac)  # f32[] weak  proximal_gradient.py:268
    ae = lax.sub(t, a)  # f32[4]  proximal_gradient.py:269
    af = lax.sub(f, weak(1.0, f32))  # f32[] weak  proximal_gradient.py:270
    ag = lax.div(af, ad)  # f32[] weak  proximal_gradient.py:270
    ah = lax.convert_element_type(ag, f32)  # f32[]  tree_util.py:91
    ai = lax.mul(ah, ae)  # f32[4]  tree_util.py:91
    aj = lax.add(t, ai)  # f32[4]  tree_util.py:91
    ak = lax.square(ae)  # f32[4]  tree_util.py:140
    al = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  tree_util.py:140
    am = lax.square(al)  # f32[4]  tree_util.py:140
    an = lax.add(ak, am)  # f32[4]  tree_util.py:140
    ao = lax.reduce_sum(an, axes=(0,))  # f32[]  tree_util.py:134
    ap = lax.sqrt(ao)  # f32[]  tree_util.py:145
    aq = lax.div(ap, x)  # f32[]  proximal_gradient.py:206
    ar = lax.add(b, 1)  # i32[] weak  proximal_gradient.py:272
    # result.params, result.state.iter_num, result.state.stepsize, result.state.error, result.state.velocity,
    # result.state.t
    return t, ar, x, aq, aj, ad


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
