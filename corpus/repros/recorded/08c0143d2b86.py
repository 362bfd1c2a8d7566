# /// jace-repro
# schema = 1
# name = "walk"
# origin = "corpus/programs/random_walk.py:14 (walk)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "08c0143d2b86d19e57f8257af3ac0b7ba7aa90fd5c867850e7489d1f4cc2fac9"
# outputs_sha256 = "215e2a4b6398e70e564f3238fc7c4fe91202c3403e95785c6c57aaaf65477da9"
# self_check = "exact"
#
# [static]
# walkers = "16384"
# steps = "8"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""walk (random_walk.py:14): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

f32 = np.dtype("float32")
i32 = np.dtype("int32")
u32 = np.dtype("uint32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1, 1), ())  # f32[1,1]
    g = lax.broadcast_in_dim(e, (1, 1), ())  # f32[1,1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(16384, 2))  # u32[16384,2]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[16384,2]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[16384,2]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[16384,2]
    l = lax.sub(k, np.float32(1.0))  # f32[16384,2]
    m = lax.sub(g, f)  # f32[1,1]
    n = lax.mul(l, m)  # f32[16384,2]
    o = lax.add(n, f)  # f32[16384,2]
    p = lax.max(f, o)  # f32[16384,2]
    return p


@jit("_uniform")
def uniform_2(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(16384, 2))  # u32[16384,2]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[16384,2]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[16384,2]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[16384,2]
    j = lax.sub(i, np.float32(1.0))  # f32[16384,2]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[16384,2]
    m = lax.add(l, d)  # f32[16384,2]
    n = lax.max(d, m)  # f32[16384,2]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform_2(a, np.float32(-0.99999994), np.float32(1.0))  # f32[16384,2]
    c = lax.erf_inv(b)  # f32[16384,2]
    d = lax.mul(np.float32(1.4142135), c)  # f32[16384,2]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[16384,2]
    return b


@jit("_uniform")
def uniform_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1, 1), ())  # f32[1,1]
    g = lax.broadcast_in_dim(e, (1, 1), ())  # f32[1,1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(16384, 1))  # u32[16384,1]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[16384,1]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[16384,1]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[16384,1]
    l = lax.sub(k, np.float32(1.0))  # f32[16384,1]
    m = lax.sub(g, f)  # f32[1,1]
    n = lax.mul(l, m)  # f32[16384,1]
    o = lax.add(n, f)  # f32[16384,1]
    p = lax.max(f, o)  # f32[16384,1]
    return p


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform_3(a, 0.0, 1.0)  # f32[16384,1]
    d = lax.lt(c, b)  # bool[16384,1]
    return d


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # i32[]
    e = lax.min(c, d)  # i32[]
    return e


@jax.jit
def clip_2(a, b, c):
    d = lax.max(b, a)  # i32[] weak
    e = lax.min(c, d)  # i32[] weak
    return e


@jit("_randint")
def randint(a, b, c):
    d = clip(np.int32(2147483647), np.int32(-2147483648), np.int32(2147483647))  # i32[]
    e = lax.gt(c, d)  # bool[]
    f = clip_2(b, -2147483648, 2147483647)  # i32[] weak
    g = lax.convert_element_type(f, i32)  # i32[]
    h = clip_2(c, -2147483648, 2147483647)  # i32[] weak
    i = lax.convert_element_type(h, i32)  # i32[]
    j = lax.broadcast_in_dim(g, (1, 1), ())  # i32[1,1]
    k = lax.broadcast_in_dim(i, (1, 1), ())  # i32[1,1]
    l = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    m = lax.slice(l, (0,), (1,), (1,))  # key<fry>[1]
    n = lax.squeeze(m, (0,))  # key<fry>[]
    o = lax.slice(l, (1,), (2,), (1,))  # key<fry>[1]
    p = lax.squeeze(o, (0,))  # key<fry>[]
    q = primitives.random_bits_p.bind(n, bit_width=32, shape=(16384, 2))  # u32[16384,2]
    r = primitives.random_bits_p.bind(p, bit_width=32, shape=(16384, 2))  # u32[16384,2]
    s = lax.sub(k, j)  # i32[1,1]
    t = lax.convert_element_type(s, u32)  # u32[1,1]
    u = lax.le(k, j)  # bool[1,1]
    v = lax.broadcast_in_dim(np.uint32(1), (1, 1), ())  # u32[1,1]
    w = lax.select_n(u, t, v)  # u32[1,1]
    x = lax.gt(k, j)  # bool[1,1]
    y = lax.bitwise_and(e, x)  # bool[1,1]
    z = lax.add(w, np.uint32(1))  # u32[1,1]
    aa = lax.select_n(y, w, z)  # u32[1,1]
    ab = lax.rem(np.uint32(65536), aa)  # u32[1,1]
    ac = lax.mul(ab, ab)  # u32[1,1]
    ad = lax.rem(ac, aa)  # u32[1,1]
    ae = lax.rem(q, aa)  # u32[16384,2]
    af = lax.mul(ae, ad)  # u32[16384,2]
    ag = lax.rem(r, aa)  # u32[16384,2]
    ah = lax.add(af, ag)  # u32[16384,2]
    ai = lax.rem(ah, aa)  # u32[16384,2]
    aj = lax.convert_element_type(ai, i32)  # i32[16384,2]
    ak = lax.add(j, aj)  # i32[16384,2]
    return ak


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim_p.bind(  # bool[16384,2]
        a, broadcast_dimensions=(0, 1), shape=(16384, 2), sharding=None
    )
    f = lax.broadcast_in_dim(d, (16384, 2), ())  # f32[16384,2]
    g = lax.select_n(e, f, b)  # f32[16384,2]
    return g


def body(a, b, c):
    d = lax.convert_element_type(c, u32)  # u32[]  random_walk.py:21
    e = primitives.random_fold_in_p.bind(a, d)  # key<fry>[]  random_walk.py:21
    f = primitives.random_split_p.bind(e, shape=(3,))  # key<fry>[3]  random_walk.py:21
    g = lax.slice(f, (0,), (1,), (1,))  # key<fry>[1]  random_walk.py:21
    h = lax.squeeze(g, (0,))  # key<fry>[]  random_walk.py:21
    i = lax.slice(f, (1,), (2,), (1,))  # key<fry>[1]  random_walk.py:21
    j = lax.squeeze(i, (0,))  # key<fry>[]  random_walk.py:21
    k = lax.slice(f, (2,), (3,), (1,))  # key<fry>[1]  random_walk.py:21
    l = lax.squeeze(k, (0,))  # key<fry>[]  random_walk.py:21
    m = normal(h)  # f32[16384,2]  random_walk.py:22
    n = bernoulli(j, np.float32(0.8))  # bool[16384,1]  random_walk.py:23
    o = randint(l, -1, 2)  # i32[16384,2]  random_walk.py:24
    p = lax.convert_element_type(o, f32)  # f32[16384,2]  random_walk.py:24
    q = lax.mul(np.float32(0.125), p)  # f32[16384,2]  random_walk.py:25
    r = lax.add(m, q)  # f32[16384,2]  random_walk.py:25
    s = where(n, r, 0.0)  # f32[16384,2]  random_walk.py:25
    t = lax.add(b, s)  # f32[16384,2]  random_walk.py:25
    u = lax.integer_pow(t, 2)  # f32[16384,2]  random_walk.py:26
    v = lax.reduce_sum(u, axes=(1,))  # f32[16384]  random_walk.py:26
    w = lax.reduce_sum(v, axes=(0,))  # f32[]  random_walk.py:26
    x = lax.div(w, np.float32(16384.0))  # f32[]  random_walk.py:26
    return t, x


def inputs():
    return [
        np.uint32(1905),  # a = seed: u32[]
    ]


def repro(a):
    # static: walkers = 16384
    # static: steps = 8
    b = primitives.random_seed_p.bind(a, impl=threefry_prng_impl)  # key<fry>[]  random_walk.py:17
    c = primitives.random_split_p.bind(b, shape=(2,))  # key<fry>[2]  random_walk.py:17
    d = lax.slice(c, (0,), (1,), (1,))  # key<fry>[1]  random_walk.py:17
    e = lax.squeeze(d, (0,))  # key<fry>[]  random_walk.py:17
    f = lax.slice(c, (1,), (2,), (1,))  # key<fry>[1]  random_walk.py:17
    g = lax.squeeze(f, (0,))  # key<fry>[]  random_walk.py:17
    h = uniform(e, -1.0, 1.0)  # f32[16384,2]  random_walk.py:18
    i = lax.broadcasted_iota(i32, (8,), 0)  # i32[8]  random_walk.py:28
    j, k = lax.scan(functools.partial(body, g), h, i)  # f32[16384,2], f32[8]  random_walk.py:28
    # result[0], result[1]
    return j, k


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
