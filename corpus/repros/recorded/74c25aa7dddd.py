# /// jace-repro
# schema = 1
# name = "create"
# origin = "corpus/programs/nnx_mlp_adam.py:28 (create)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "74c25aa7dddd2a3d805a3a0028d477f32ea051e6866107bec12b47284a18cd58"
# outputs_sha256 = "c8f328e661d420a1f8ba1b8b5752e5ce91188978573cee3d79a1031eb5473e73"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""create (nnx_mlp_adam.py:28): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
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
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(16, 32))  # u32[16,32]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[16,32]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[16,32]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[16,32]
    j = lax.sub(i, np.float32(1.0))  # f32[16,32]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[16,32]
    m = lax.add(l, d)  # f32[16,32]
    n = lax.max(d, m)  # f32[16,32]
    return n


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[16,32]
    e = lax.min(c, d)  # f32[16,32]
    return e


@jit("_truncated_normal")
def truncated_normal(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform(a, g, i)  # f32[16,32]
    k = lax.erf_inv(j)  # f32[16,32]
    l = lax.mul(np.float32(1.4142135), k)  # f32[16,32]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip(l, n, p)  # f32[16,32]
    return q


@jit("_uniform")
def uniform_2(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(32, 32))  # u32[32,32]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[32,32]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[32,32]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[32,32]
    j = lax.sub(i, np.float32(1.0))  # f32[32,32]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[32,32]
    m = lax.add(l, d)  # f32[32,32]
    n = lax.max(d, m)  # f32[32,32]
    return n


@jax.jit
def clip_2(a, b, c):
    d = lax.max(b, a)  # f32[32,32]
    e = lax.min(c, d)  # f32[32,32]
    return e


@jit("_truncated_normal")
def truncated_normal_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform_2(a, g, i)  # f32[32,32]
    k = lax.erf_inv(j)  # f32[32,32]
    l = lax.mul(np.float32(1.4142135), k)  # f32[32,32]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip_2(l, n, p)  # f32[32,32]
    return q


@jit("_uniform")
def uniform_3(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(32, 1))  # u32[32,1]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[32,1]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[32,1]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[32,1]
    j = lax.sub(i, np.float32(1.0))  # f32[32,1]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[32,1]
    m = lax.add(l, d)  # f32[32,1]
    n = lax.max(d, m)  # f32[32,1]
    return n


@jax.jit
def clip_3(a, b, c):
    d = lax.max(b, a)  # f32[32,1]
    e = lax.min(c, d)  # f32[32,1]
    return e


@jit("_truncated_normal")
def truncated_normal_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform_3(a, g, i)  # f32[32,1]
    k = lax.erf_inv(j)  # f32[32,1]
    l = lax.mul(np.float32(1.4142135), k)  # f32[32,1]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip_3(l, n, p)  # f32[32,1]
    return q


def inputs():
    return []


def repro():
    a = primitives.random_seed_p.bind(np.int32(2025), impl=threefry_prng_impl)  # key<fry>[]  rnglib.py:107
    b = primitives.random_fold_in_p.bind(a, np.uint32(0))  # key<fry>[]  rnglib.py:122
    c = lax.add(np.uint32(0), np.uint32(1))  # u32[]  rnglib.py:123
    d = lax.sqrt(np.float32(0.0625))  # f32[]  linear.py:377
    e = lax.div(d, np.float32(0.8796257))  # f32[]  linear.py:377
    f = truncated_normal(b, -2, 2)  # f32[16,32]  linear.py:377
    g = lax.mul(f, e)  # f32[16,32]  linear.py:377
    _ = primitives.random_fold_in_p.bind(a, c)  # key<fry>[]  rnglib.py:122
    h = lax.add(c, np.uint32(1))  # u32[]  rnglib.py:123
    i = lax.broadcast_in_dim(np.float32(0.0), (32,), ())  # f32[32]  linear.py:384
    j = primitives.random_fold_in_p.bind(a, h)  # key<fry>[]  rnglib.py:122
    k = lax.add(h, np.uint32(1))  # u32[]  rnglib.py:123
    l = lax.sqrt(np.float32(0.03125))  # f32[]  linear.py:377
    m = lax.div(l, np.float32(0.8796257))  # f32[]  linear.py:377
    n = truncated_normal_2(j, -2, 2)  # f32[32,32]  linear.py:377
    o = lax.mul(n, m)  # f32[32,32]  linear.py:377
    _ = primitives.random_fold_in_p.bind(a, k)  # key<fry>[]  rnglib.py:122
    p = lax.add(k, np.uint32(1))  # u32[]  rnglib.py:123
    q = lax.broadcast_in_dim(np.float32(0.0), (32,), ())  # f32[32]  linear.py:384
    r = primitives.random_fold_in_p.bind(a, p)  # key<fry>[]  rnglib.py:122
    s = lax.add(p, np.uint32(1))  # u32[]  rnglib.py:123
    t = lax.sqrt(np.float32(0.03125))  # f32[]  linear.py:377
    u = lax.div(t, np.float32(0.8796257))  # f32[]  linear.py:377
    v = truncated_normal_3(r, -2, 2)  # f32[32,1]  linear.py:377
    w = lax.mul(v, u)  # f32[32,1]  linear.py:377
    _ = primitives.random_fold_in_p.bind(a, s)  # key<fry>[]  rnglib.py:122
    _ = lax.add(s, np.uint32(1))  # u32[]  rnglib.py:123
    x = lax.broadcast_in_dim(np.float32(0.0), (1,), ())  # f32[1]  linear.py:384
    # result[2].states[0][0], result[2].states[0][1], result[2].states[0][2], result[2].states[0][3],
    # result[2].states[0][4], result[2].states[0][5]
    return i, g, x, w, q, o


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
