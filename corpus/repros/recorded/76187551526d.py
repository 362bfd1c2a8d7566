# /// jace-repro
# schema = 1
# name = "walk"
# origin = "scripts/libraries/jax_keys.py:8 (walk)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "76187551526d959bd954f3bd3d8cd3ac1a631a3c7f50f64679197702e11a8d55"
# outputs_sha256 = "a696681a0e9217a7a0f4ddbdbd4750e541aacdca4b8baa63bc1aa25ebdf35122"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""walk (jax_keys.py:8): written by jace-repro, needs only jax and numpy."""

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


@jit("_uniform")
def uniform(a, b, c):
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
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[2]
    c = lax.erf_inv(b)  # f32[2]
    d = lax.mul(np.float32(1.4142135), c)  # f32[2]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[2]
    return b


def body(a, b):
    c = random_wrap_p.bind(b, impl=threefry_prng_impl)  # key<fry>[]  jax_keys.py:11
    d = normal(c)  # f32[2]  jax_keys.py:11
    e = lax.add(a, d)  # f32[2]  jax_keys.py:11
    return e, a


def inputs():
    return [
        np.array([0, 0], np.uint32),  # a = key: u32[2]
        2,  # b = steps: i32[] weak
    ]


def repro(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  jax_keys.py:13
    d = random_wrap_p.bind(a, impl=threefry_prng_impl)  # key<fry>[]  jax_keys.py:13
    e = primitives.random_split_p.bind(d, shape=(5,))  # key<fry>[5]  jax_keys.py:13
    f = random_unwrap_p.bind(e)  # u32[5,2]  jax_keys.py:13
    g, _ = lax.scan(body, c, f)  # f32[2], f32[5,2]  jax_keys.py:13
    h = lax.convert_element_type(b, f32)  # f32[]  jax_keys.py:13
    i = lax.mul(g, h)  # f32[2]  jax_keys.py:13
    return i


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
