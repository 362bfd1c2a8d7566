# /// jace-repro
# schema = 1
# name = "random_randint_shape_int8_"
# origin = "jax harness random_randint_shape_int8_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "90b11e86d6d89c8399089ed6097be3f2641b78e8bfcc7c7b1c2fb8ad8d43611e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_randint_shape_int8_ (jax harness random_randint_shape_int8_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

i32 = np.dtype("int32")
i8 = np.dtype("int8")
u32 = np.dtype("uint32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(c, i32)  # i32[]
    e = lax.max(d, a)  # i32[]
    f = lax.convert_element_type(b, i32)  # i32[]
    g = lax.min(f, e)  # i32[]
    return g


@jax.jit
def clip_2(a, b, c):
    d = lax.max(b, a)  # i32[]
    e = lax.min(c, d)  # i32[]
    return e


@jit("_randint")
def randint(a, b, c):
    d = clip_2(np.int32(2147483647), np.int32(-2147483648), np.int32(2147483647))  # i32[]
    e = lax.gt(c, d)  # bool[]
    f = clip_2(b, np.int32(-2147483648), np.int32(2147483647))  # i32[]
    g = clip_2(c, np.int32(-2147483648), np.int32(2147483647))  # i32[]
    h = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    i = lax.slice(h, (0,), (1,), (1,))  # key<fry>[1]
    j = lax.squeeze(i, (0,))  # key<fry>[]
    k = lax.slice(h, (1,), (2,), (1,))  # key<fry>[1]
    l = lax.squeeze(k, (0,))  # key<fry>[]
    m = primitives.random_bits_p.bind(j, bit_width=32, shape=())  # u32[]
    n = primitives.random_bits_p.bind(l, bit_width=32, shape=())  # u32[]
    o = lax.sub(g, f)  # i32[]
    p = lax.convert_element_type(o, u32)  # u32[]
    q = lax.le(g, f)  # bool[]
    r = lax.select_n(q, p, np.uint32(1))  # u32[]
    s = lax.gt(g, f)  # bool[]
    t = lax.bitwise_and(e, s)  # bool[]
    u = lax.add(r, np.uint32(1))  # u32[]
    v = lax.select_n(t, r, u)  # u32[]
    w = lax.rem(np.uint32(65536), v)  # u32[]
    x = lax.mul(w, w)  # u32[]
    y = lax.rem(x, v)  # u32[]
    z = lax.rem(m, v)  # u32[]
    aa = lax.mul(z, y)  # u32[]
    ab = lax.rem(n, v)  # u32[]
    ac = lax.add(aa, ab)  # u32[]
    ad = lax.rem(ac, v)  # u32[]
    ae = lax.convert_element_type(ad, i32)  # i32[]
    af = lax.add(f, ae)  # i32[]
    return af


def inputs():
    return []


def repro():
    a = primitives.random_seed_p.bind(np.int32(42), impl=threefry_prng_impl)  # key<fry>[]
    b = clip(np.int32(-5), 127, -128)  # i32[]
    c = clip(np.int32(5), 128, -128)  # i32[]
    d = randint(a, b, c)  # i32[]
    e = lax.convert_element_type(d, i8)  # i8[]
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
