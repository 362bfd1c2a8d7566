# /// jace-repro
# schema = 1
# name = "ask"
# origin = "base.py:108 (ask)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "fbfb3a9d858bd682d1b3f365117cae13cc4a1016eb4859ab906a0578de3fbe91"
# outputs_sha256 = "aeafaed4617ea2daecae8e04059d37a054084d4a54c3d320852b891cddc3d9db"
# self_check = "exact"
#
# [static]
# self = "<evosax.algorithms.distribution_based.open_es.Open_ES object>"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""ask (base.py:108): written by jace-repro, needs only jax and numpy."""

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
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(4, 3))  # u32[4,3]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[4,3]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[4,3]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[4,3]
    j = lax.sub(i, np.float32(1.0))  # f32[4,3]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[4,3]
    m = lax.add(l, d)  # f32[4,3]
    n = lax.max(d, m)  # f32[4,3]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[4,3]
    c = lax.erf_inv(b)  # f32[4,3]
    d = lax.mul(np.float32(1.4142135), c)  # f32[4,3]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[4,3]
    return b


def inputs():
    return [
        # a = key: key<fry>[]
        jax.random.wrap_key_data(np.array([1353695780, 2116000888], np.uint32), impl="threefry2x32"),
        np.array([0.3535502, 0.76197404, 1.1785518], np.float32),  # b = state.best_solution: f32[3]
        np.float32(0.55051047),  # c = state.best_fitness: f32[]
        1,  # d = state.generation_counter: i32[] weak
        np.array([0.0003198399, 8.406244e-05, 0.00019486115], np.float32),  # e = state.mean: f32[3]
        1.0,  # f = state.std: f32[] weak
    ]


def repro(a, b, c, d, e, f):
    # static: self = <evosax.algorithms.distribution_based.open_es.Open_ES object>
    g = normal(a)  # f32[4,3]  open_es.py:85
    h = lax.neg(g)  # f32[4,3]  open_es.py:86
    i = lax.concatenate([g, h], 0)  # f32[8,3]  open_es.py:86
    j = lax.convert_element_type(f, f32)  # f32[]  open_es.py:89
    k = lax.mul(j, i)  # f32[8,3]  open_es.py:89
    l = lax.broadcast_in_dim(e, (1, 3), (1,))  # f32[1,3]  open_es.py:89
    m = lax.add(l, k)  # f32[8,3]  open_es.py:89
    (n,) = lax.split_p.bind(m, axis=1, sizes=(3,))  # f32[8,3]  base.py:120
    # result[0], result[1].best_solution, result[1].best_fitness, result[1].generation_counter, result[1].mean,
    # result[1].std
    return n, b, c, d, e, f


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
