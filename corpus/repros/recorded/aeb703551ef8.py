# /// jace-repro
# schema = 1
# name = "scan"
# origin = "scan.py:339 (scan)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "aeb703551ef8056b0c0f5f88ea0401fdd35d521747e798347f6d6127af84ce6d"
# outputs_sha256 = "a3abba8cd00ca709b3da7f77122fd4e87f53e1b20aeb2e3dd4818bda45f131f8"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""scan (scan.py:339): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src.prng import random_unwrap_p
from jax._src.prng import random_wrap_p
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

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


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=())  # u32[]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[]
    j = lax.sub(i, np.float32(1.0))  # f32[]
    k = lax.sub(e, d)  # f32[]
    l = lax.mul(j, k)  # f32[]
    m = lax.add(l, d)  # f32[]
    n = lax.reshape_p.bind(m, dimensions=None, new_sizes=(), sharding=None)  # f32[]
    o = lax.max(d, n)  # f32[]
    return o


def body(a, carry, e):
    b, c, d = carry
    f = random_wrap_p.bind(c, impl=threefry_prng_impl)  # key<fry>[]  scan.py:313
    g = primitives.random_split_p.bind(f, shape=(2,))  # key<fry>[2]  scan.py:313
    h = random_unwrap_p.bind(g)  # u32[2,2]  scan.py:313
    i = lax.slice(h, (0, 0), (1, 2), (1, 1))  # u32[1,2]  scan.py:313
    j = lax.squeeze(i, (0,))  # u32[2]  scan.py:313
    k = lax.slice(h, (1, 0), (2, 2), (1, 1))  # u32[1,2]  scan.py:313
    l = lax.squeeze(k, (0,))  # u32[2]  scan.py:313
    m = lax.mul(np.float32(0.9), d)  # f32[]  numpyro_hmm.py:19
    n = lax.eq(m, m)  # bool[]  constraints.py:888
    o = lax.ne(m, np.float32(np.inf))  # bool[]  constraints.py:888
    p = lax.bitwise_and(n, o)  # bool[]  constraints.py:888
    q = lax.ne(m, np.float32(-np.inf))  # bool[]  constraints.py:888
    _ = lax.bitwise_and(p, q)  # bool[]  constraints.py:888
    r = random_wrap_p.bind(l, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    s = primitives.random_split_p.bind(r, shape=(2,))  # key<fry>[2]  handlers.py:896
    t = random_unwrap_p.bind(s)  # u32[2,2]  handlers.py:896
    u = lax.slice(t, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    _ = lax.squeeze(u, (0,))  # u32[2]  handlers.py:896
    v = lax.slice(t, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    w = lax.squeeze(v, (0,))  # u32[2]  handlers.py:896
    x = random_wrap_p.bind(w, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:4081
    y = uniform(x, -2, 2)  # f32[]  continuous.py:4081
    z = lax.mul(0.5, weak(4.0, f32))  # f32[] weak  continuous.py:1035
    _ = lax.gt(weak(4.0, f32), 0.0)  # bool[] weak  constraints.py:308
    aa = lax.eq(y, y)  # bool[]  constraints.py:888
    ab = lax.ne(y, np.float32(np.inf))  # bool[]  constraints.py:888
    ac = lax.bitwise_and(aa, ab)  # bool[]  constraints.py:888
    ad = lax.ne(y, np.float32(-np.inf))  # bool[]  constraints.py:888
    _ = lax.bitwise_and(ac, ad)  # bool[]  constraints.py:888
    ae = lax.add(b, 1)  # i32[] weak  scan.py:336
    return (ae, j, y), (m, a, y, y, 0.5, 4.0, weak(4.0, f32), z, 0.5)


def inputs():
    return [
        np.float32(0.19462974),  # a: f32[]
        0,  # b: i32[] weak
        np.array([1535902165, 975887616], np.uint32),  # c: u32[2]
        np.float32(0.8453784),  # d: f32[]
        # e: f32[6]
        np.array([0.18905339, -0.5227485, -0.41306356, -2.4414673, 1.7997074, 1.1441659], np.float32),
    ]


def repro(a, b, c, d, e):
    # i32[] weak, u32[2], f32[], f32[6], f32[6], f32[6], f32[6], f32[6] weak, f32[6] weak, f32[6] weak, f32[6] weak, f32[6] weak
    (f, g, h), (i, j, k, l, m, n, o, p, q) = lax.scan(
        functools.partial(body, a), (b, c, d), e
    )
    # result[0], result[1], result[2], result[3], result[4], result[5], result[6], result[7], result[8], result[9],
    # result[10], result[11]
    return f, g, h, i, j, k, l, m, n, o, p, q


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
