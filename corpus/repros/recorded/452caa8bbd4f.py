# /// jace-repro
# schema = 1
# name = "draws"
# origin = "scripts/libraries/jax_keys.py:16 (draws)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "452caa8bbd4fd62ebd017e5b7c002009040825fc4fb9cec716fcd671e9ff73d6"
# outputs_sha256 = "5019e0cfc409411abb3061034ee657e43944d05217fcdd519ac23c03843d4957"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""draws (jax_keys.py:16): written by jace-repro, needs only jax and numpy."""

import functools

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


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = lax.broadcast_in_dim(e, (1,), ())  # f32[1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(3,))  # u32[3]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[3]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[3]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[3]
    l = lax.sub(k, np.float32(1.0))  # f32[3]
    m = lax.sub(g, f)  # f32[1]
    n = lax.mul(l, m)  # f32[3]
    o = lax.add(n, f)  # f32[3]
    p = lax.max(f, o)  # f32[3]
    return p


@jit("_gamma")
def gamma(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.broadcast_in_dim(c, (3,), ())  # f32[3]
    e = primitives.random_gamma_p.bind(a, d, log_space=False)  # f32[3]
    return e


@jit("_uniform")
def uniform_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = lax.broadcast_in_dim(d, (1, 1), ())  # f32[1,1]
    g = primitives.random_bits_p.bind(a, bit_width=32, shape=(2, 4))  # u32[2,4]
    h = lax.shift_right_logical(g, np.uint32(9))  # u32[2,4]
    i = lax.bitwise_or(h, np.uint32(1065353216))  # u32[2,4]
    j = lax.bitcast_convert_type_p.bind(i, new_dtype=f32)  # f32[2,4]
    k = lax.sub(j, np.float32(1.0))  # f32[2,4]
    l = lax.sub(f, e)  # f32[1,1]
    m = lax.mul(k, l)  # f32[2,4]
    n = lax.add(m, e)  # f32[2,4]
    o = lax.max(e, n)  # f32[2,4]
    return o


@jit("_gumbel")
def gumbel(a):
    b = uniform_2(a, 1.0, np.float32(1.1754944e-38))  # f32[2,4]
    c = lax.log(b)  # f32[2,4]
    d = lax.neg(c)  # f32[2,4]
    e = lax.log(d)  # f32[2,4]
    f = lax.neg(e)  # f32[2,4]
    return f


@jit("_shuffle")
def shuffle(a, b):
    c = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    d = lax.slice(c, (0,), (1,), (1,))  # key<fry>[1]
    _ = lax.squeeze(d, (0,))  # key<fry>[]
    e = lax.slice(c, (1,), (2,), (1,))  # key<fry>[1]
    f = lax.squeeze(e, (0,))  # key<fry>[]
    g = primitives.random_bits_p.bind(f, bit_width=32, shape=(6,))  # u32[6]
    _, h = lax.sort_p.bind(g, b, dimension=0, is_stable=True, num_keys=1)  # u32[6], i32[6]
    return h


@jit("_shuffle")
def shuffle_2(a, b):
    c = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    d = lax.slice(c, (0,), (1,), (1,))  # key<fry>[1]
    _ = lax.squeeze(d, (0,))  # key<fry>[]
    e = lax.slice(c, (1,), (2,), (1,))  # key<fry>[1]
    f = lax.squeeze(e, (0,))  # key<fry>[]
    g = primitives.random_bits_p.bind(f, bit_width=32, shape=(9,))  # u32[9]
    _, h = lax.sort_p.bind(g, b, dimension=0, is_stable=True, num_keys=1)  # u32[9], i32[9]
    return h


@jit("_uniform")
def uniform_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = lax.broadcast_in_dim(e, (1,), ())  # f32[1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(4,))  # u32[4]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[4]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[4]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[4]
    l = lax.sub(k, np.float32(1.0))  # f32[4]
    m = lax.sub(g, f)  # f32[1]
    n = lax.mul(l, m)  # f32[4]
    o = lax.add(n, f)  # f32[4]
    p = lax.max(f, o)  # f32[4]
    return p


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform_3(a, 0.0, 1.0)  # f32[4]
    d = lax.lt(c, b)  # bool[4]
    return d


@jit("_uniform")
def uniform_4(a, b, c):
    d = lax.broadcast_in_dim(b, (1,), ())  # f32[1]
    e = lax.broadcast_in_dim(c, (1,), ())  # f32[1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(3,))  # u32[3]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[3]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[3]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[3]
    j = lax.sub(i, np.float32(1.0))  # f32[3]
    k = lax.sub(e, d)  # f32[1]
    l = lax.mul(j, k)  # f32[3]
    m = lax.add(l, d)  # f32[3]
    n = lax.max(d, m)  # f32[3]
    return n


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[3]
    e = lax.min(c, d)  # f32[3]
    return e


@jit("_truncated_normal")
def truncated_normal(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform_4(a, g, i)  # f32[3]
    k = lax.erf_inv(j)  # f32[3]
    l = lax.mul(np.float32(1.4142135), k)  # f32[3]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip(l, n, p)  # f32[3]
    return q


def cond(a, carry):
    b, c, d, e = carry
    f = lax.neg(a)  # f32[3]
    g = lax.gt(e, f)  # bool[3]
    h = lax.reduce_or(g, axes=(0,))  # bool[]
    i = lax.convert_element_type(b, i32)  # i32[]
    j = lax.lt(i, np.int32(2147483647))  # bool[]
    k = lax.bitwise_and(h, j)  # bool[]
    return k


def body(a, carry):
    b, c, d, e = carry
    f = primitives.random_split_p.bind(d, shape=(2,))  # key<fry>[2]
    g = lax.slice(f, (0,), (1,), (1,))  # key<fry>[1]
    h = lax.squeeze(g, (0,))  # key<fry>[]
    i = lax.slice(f, (1,), (2,), (1,))  # key<fry>[1]
    j = lax.squeeze(i, (0,))  # key<fry>[]
    k = lax.neg(a)  # f32[3]
    l = lax.gt(e, k)  # bool[3]
    m = lax.add(c, np.int32(1))  # i32[3]
    n = lax.select_n(l, c, m)  # i32[3]
    o = uniform(j, 0.0, 1.0)  # f32[3]
    p = lax.add(b, 1)  # i32[] weak
    q = lax.log(o)  # f32[3]
    r = lax.add(e, q)  # f32[3]
    return p, n, h, r


@jit("_poisson_knuth")
def poisson_knuth(a, b):
    c = lax.broadcast_in_dim(np.int32(0), (3,), ())  # i32[3]
    d = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]
    _, e, _, _ = lax.while_loop(  # i32[] weak, i32[3], key<fry>[], f32[3]
        functools.partial(cond, b), functools.partial(body, b), (0, c, a, d)
    )
    f = lax.sub(e, np.int32(1))  # i32[3]
    return f


def cond_2(carry):
    a, b, c, d = carry
    e = lax.bitwise_not(c)  # bool[3]
    f = lax.reduce_or(e, axes=(0,))  # bool[]
    g = lax.convert_element_type(a, i32)  # i32[]
    h = lax.lt(g, np.int32(2147483647))  # bool[]
    i = lax.bitwise_and(f, h)  # bool[]
    return i


def body_2(a, b, c, d, e, f, carry):
    g, h, i, j = carry
    k = primitives.random_split_p.bind(j, shape=(3,))  # key<fry>[3]
    l = lax.slice(k, (0,), (1,), (1,))  # key<fry>[1]
    m = lax.squeeze(l, (0,))  # key<fry>[]
    n = lax.slice(k, (1,), (2,), (1,))  # key<fry>[1]
    o = lax.squeeze(n, (0,))  # key<fry>[]
    p = lax.slice(k, (2,), (3,), (1,))  # key<fry>[1]
    q = lax.squeeze(p, (0,))  # key<fry>[]
    r = uniform(o, 0.0, 1.0)  # f32[3]
    s = lax.sub(r, np.float32(0.5))  # f32[3]
    t = uniform(q, 0.0, 1.0)  # f32[3]
    u = lax.abs(s)  # f32[3]
    v = lax.sub(np.float32(0.5), u)  # f32[3]
    w = lax.mul(np.float32(2.0), a)  # f32[3]
    x = lax.div(w, v)  # f32[3]
    y = lax.add(x, b)  # f32[3]
    z = lax.mul(y, s)  # f32[3]
    aa = lax.add(z, c)  # f32[3]
    ab = lax.add(aa, np.float32(0.43))  # f32[3]
    ac = lax.floor(ab)  # f32[3]
    ad = lax.mul(t, d)  # f32[3]
    ae = lax.mul(v, v)  # f32[3]
    af = lax.div(a, ae)  # f32[3]
    ag = lax.add(af, b)  # f32[3]
    ah = lax.div(ad, ag)  # f32[3]
    ai = lax.log(ah)  # f32[3]
    aj = lax.neg(c)  # f32[3]
    ak = lax.mul(ac, e)  # f32[3]
    al = lax.add(aj, ak)  # f32[3]
    am = lax.add(ac, np.float32(1.0))  # f32[3]
    an = lax.lgamma(am)  # f32[3]
    ao = lax.sub(al, an)  # f32[3]
    ap = lax.ge(v, np.float32(0.07))  # bool[3]
    aq = lax.le(t, f)  # bool[3]
    ar = lax.bitwise_and(ap, aq)  # bool[3]
    at = lax.lt(ac, np.float32(0.0))  # bool[3]
    au = lax.lt(v, np.float32(0.013))  # bool[3]
    av = lax.gt(t, v)  # bool[3]
    aw = lax.bitwise_and(au, av)  # bool[3]
    ax = lax.bitwise_or(at, aw)  # bool[3]
    ay = lax.le(ai, ao)  # bool[3]
    az = lax.bitwise_not(ax)  # bool[3]
    ba = lax.bitwise_and(az, ay)  # bool[3]
    bb = lax.bitwise_or(ar, ba)  # bool[3]
    bc = lax.select_n(bb, h, ac)  # f32[3]
    bd = lax.bitwise_or(i, bb)  # bool[3]
    be = lax.add(g, 1)  # i32[] weak
    return be, bc, bd, m


@jit("_poisson_rejection")
def poisson_rejection(a, b):
    c = lax.log(b)  # f32[3]
    d = lax.sqrt(b)  # f32[3]
    e = lax.mul(np.float32(2.53), d)  # f32[3]
    f = lax.add(np.float32(0.931), e)  # f32[3]
    g = lax.mul(np.float32(0.02483), f)  # f32[3]
    h = lax.add(np.float32(-0.059), g)  # f32[3]
    i = lax.sub(f, np.float32(3.4))  # f32[3]
    j = lax.div(np.float32(1.1328), i)  # f32[3]
    k = lax.add(np.float32(1.1239), j)  # f32[3]
    l = lax.sub(f, np.float32(2.0))  # f32[3]
    m = lax.div(np.float32(3.6224), l)  # f32[3]
    n = lax.sub(np.float32(0.9277), m)  # f32[3]
    o = lax.broadcast_in_dim(np.float32(-1.0), (3,), ())  # f32[3]
    p = lax.broadcast_in_dim(False, (3,), ())  # bool[3]
    _, q, _, _ = lax.while_loop(  # i32[] weak, f32[3], bool[3], key<fry>[]
        cond_2, functools.partial(body_2, h, f, b, k, c, n), (0, o, p, a)
    )
    r = lax.convert_element_type(q, i32)  # i32[3]
    return r


@jit("_poisson")
def poisson(a, b):
    c = lax.ne(b, b)  # bool[3]
    d = lax.lt(b, np.float32(10.0))  # bool[3]
    e = lax.bitwise_or(c, d)  # bool[3]
    f = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]
    g = lax.select_n(e, f, b)  # f32[3]
    h = lax.broadcast_in_dim(np.float32(100000.0), (3,), ())  # f32[3]
    i = lax.select_n(e, b, h)  # f32[3]
    j = poisson_knuth(a, g)  # i32[3]
    k = poisson_rejection(a, i)  # i32[3]
    l = lax.select_n(e, k, j)  # i32[3]
    m = lax.eq(b, np.float32(0.0))  # bool[3]
    n = lax.broadcast_in_dim(np.int32(0), (3,), ())  # i32[3]
    o = lax.select_n(m, l, n)  # i32[3]
    return o


@jax.jit
def cholesky(a):
    b = lax.transpose(a, (1, 0))  # f32[2,2]
    c = lax.add(a, b)  # f32[2,2]
    d = lax.div(c, np.float32(2.0))  # f32[2,2]
    e = primitives.cholesky_p.bind(d)  # f32[2,2]
    f = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]
    g = lax.add(f, np.int32(0))  # i32[2,2]
    h = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]
    i = lax.ge(g, h)  # bool[2,2]
    j = lax.broadcast_in_dim(np.float32(0.0), (2, 2), ())  # f32[2,2]
    k = lax.select_n(i, j, e)  # f32[2,2]
    return k


@jit("_uniform")
def uniform_5(a, b, c):
    d = lax.broadcast_in_dim(b, (1,), ())  # f32[1]
    e = lax.broadcast_in_dim(c, (1,), ())  # f32[1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(2,))  # u32[2]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[2]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[2]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[2]
    j = lax.sub(i, np.float32(1.0))  # f32[2]
    k = lax.sub(e, d)  # f32[1]
    l = lax.mul(j, k)  # f32[2]
    m = lax.add(l, d)  # f32[2]
    n = lax.max(d, m)  # f32[2]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform_5(a, np.float32(-0.99999994), np.float32(1.0))  # f32[2]
    c = lax.erf_inv(b)  # f32[2]
    d = lax.mul(np.float32(1.4142135), c)  # f32[2]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[2]
    return b


@jit("_multivariate_normal")
def multivariate_normal(a, b, c):
    d = cholesky(c)  # f32[2,2]
    e = normal(a)  # f32[2]
    f = lax.dot_general(d, e, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2]
    g = lax.add(b, f)  # f32[2]
    return g


def inputs():
    return [
        jax.random.wrap_key_data(np.array([1, 2], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
    ]


def repro(a):
    b = primitives.random_split_p.bind(a, shape=(10,))  # key<fry>[10]  jax_keys.py:18
    c = lax.slice(b, (0,), (1,), (1,))  # key<fry>[1]  jax_keys.py:20
    d = lax.squeeze(c, (0,))  # key<fry>[]  jax_keys.py:20
    e = uniform(d, -1.0, 1.0)  # f32[3]  jax_keys.py:20
    f = lax.slice(b, (1,), (2,), (1,))  # key<fry>[1]  jax_keys.py:21
    g = lax.squeeze(f, (0,))  # key<fry>[]  jax_keys.py:21
    h = gamma(g, 2.0)  # f32[3]  jax_keys.py:21
    i = lax.slice(b, (2,), (3,), (1,))  # key<fry>[1]  jax_keys.py:22
    j = lax.squeeze(i, (0,))  # key<fry>[]  jax_keys.py:22
    k = lax.broadcast_in_dim(np.float32(0.0), (2, 4), ())  # f32[2,4]  jax_keys.py:22
    l = gumbel(j)  # f32[2,4]  jax_keys.py:22
    m = lax.add(l, k)  # f32[2,4]  jax_keys.py:22
    n = lax.argmax(m, 1, i32)  # i32[2]  jax_keys.py:22
    o = lax.slice(b, (3,), (4,), (1,))  # key<fry>[1]  jax_keys.py:23
    p = lax.squeeze(o, (0,))  # key<fry>[]  jax_keys.py:23
    q = lax.broadcasted_iota(i32, (6,), 0)  # i32[6]  jax_keys.py:23
    r = shuffle(p, q)  # i32[6]  jax_keys.py:23
    s = lax.slice(b, (4,), (5,), (1,))  # key<fry>[1]  jax_keys.py:24
    t = lax.squeeze(s, (0,))  # key<fry>[]  jax_keys.py:24
    u = lax.broadcasted_iota(i32, (9,), 0)  # i32[9]  jax_keys.py:24
    v = shuffle_2(t, u)  # i32[9]  jax_keys.py:24
    w = lax.slice(v, (0,), (3,))  # i32[3]  jax_keys.py:24
    x = lax.slice(b, (5,), (6,), (1,))  # key<fry>[1]  jax_keys.py:25
    y = lax.squeeze(x, (0,))  # key<fry>[]  jax_keys.py:25
    z = bernoulli(y, np.float32(0.3))  # bool[4]  jax_keys.py:25
    aa = lax.slice(b, (6,), (7,), (1,))  # key<fry>[1]  jax_keys.py:26
    ab = lax.squeeze(aa, (0,))  # key<fry>[]  jax_keys.py:26
    ac = truncated_normal(ab, -1.0, 1.0)  # f32[3]  jax_keys.py:26
    ad = lax.slice(b, (7,), (8,), (1,))  # key<fry>[1]  jax_keys.py:27
    ae = lax.squeeze(ad, (0,))  # key<fry>[]  jax_keys.py:27
    af = lax.broadcast_in_dim(weak(3.0, f32), (3,), ())  # f32[3] weak  jax_keys.py:27
    ag = lax.convert_element_type(af, f32)  # f32[3]  jax_keys.py:27
    ah = poisson(ae, ag)  # i32[3]  jax_keys.py:27
    ai = lax.slice(b, (8,), (9,), (1,))  # key<fry>[1]  jax_keys.py:28
    aj = lax.squeeze(ai, (0,))  # key<fry>[]  jax_keys.py:28
    ak = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  jax_keys.py:28
    al = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]  jax_keys.py:28
    am = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]  jax_keys.py:28
    an = lax.add(al, np.int32(0))  # i32[2,2]  jax_keys.py:28
    ao = lax.eq(an, am)  # bool[2,2]  jax_keys.py:28
    ap = lax.convert_element_type(ao, f32)  # f32[2,2]  jax_keys.py:28
    aq = multivariate_normal(aj, ak, ap)  # f32[2]  jax_keys.py:28
    ar = lax.slice(b, (9,), (10,), (1,))  # key<fry>[1]  jax_keys.py:29
    at = lax.squeeze(ar, (0,))  # key<fry>[]  jax_keys.py:29
    au = primitives.random_bits_p.bind(at, bit_width=8, shape=(2,))  # u8[2]  jax_keys.py:29
    # result[0], result[1], result[2], result[3], result[4], result[5], result[6], result[7], result[8], result[9]
    return e, h, n, r, w, z, ac, ah, aq, au


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
