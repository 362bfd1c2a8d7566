# /// jace-repro
# schema = 1
# name = "walk"
# origin = "scripts/libraries/jax_keys.py:8 (walk)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d2089682023b455f37e960154839ed0a7652d6d6c704550814bde45e42a7837d"
# outputs_sha256 = "fde1f2b365c0b67758ee758403a821605c6f4d772fa1a4917019bc0df96b79b9"
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
from jax.extend.core import primitives

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
    c = normal(b)  # f32[2]  jax_keys.py:11
    d = lax.add(a, c)  # f32[2]  jax_keys.py:11
    return d, a


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
        1,  # b = steps: i32[] weak
    ]


def repro(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  jax_keys.py:13
    d = primitives.random_split_p.bind(a, shape=(5,))  # key<fry>[5]  jax_keys.py:13
    e, _ = lax.scan(body, c, d)  # f32[2], f32[5,2]  jax_keys.py:13
    f = lax.convert_element_type(b, f32)  # f32[]  jax_keys.py:13
    g = lax.mul(e, f)  # f32[2]  jax_keys.py:13
    return g


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
