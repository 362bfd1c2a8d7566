# /// jace-repro
# schema = 1
# name = "random_categorical_shape_float32_8_axis_0"
# origin = "jax harness random_categorical_shape_float32_8_axis_0"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e7f21e83664eadee29fc9291daa74b620ce32cda3a4f58e471f186b18ea42914"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_categorical_shape_float32_8_axis_0 (jax harness random_categorical_shape_float32_8_axis_0): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(c, (1,), ())  # f32[1]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = primitives.random_bits_p.bind(a, bit_width=32, shape=(8,))  # u32[8]
    h = lax.shift_right_logical(g, np.uint32(9))  # u32[8]
    i = lax.bitwise_or(h, np.uint32(1065353216))  # u32[8]
    j = lax.bitcast_convert_type_p.bind(i, new_dtype=f32)  # f32[8]
    k = lax.sub(j, np.float32(1.0))  # f32[8]
    l = lax.sub(f, e)  # f32[1]
    m = lax.mul(k, l)  # f32[8]
    n = lax.add(m, e)  # f32[8]
    o = lax.max(e, n)  # f32[8]
    return o


@jit("_gumbel")
def gumbel(a):
    b = uniform(a, 1.0, np.float32(1.1754944e-38))  # f32[8]
    c = lax.log(b)  # f32[8]
    d = lax.neg(c)  # f32[8]
    e = lax.log(d)  # f32[8]
    f = lax.neg(e)  # f32[8]
    return f


def inputs():
    return [
        # a = dyn_args[0]: f32[8]
        np.array(
            [1.8797649, -3.0434554, -0.16729525, 1.0887198, 6.27007, 5.888235, 2.7672334, 2.5091012],
            np.float32,
        ),
    ]


def repro(a):
    b = primitives.random_seed_p.bind(np.int32(1337), impl=threefry_prng_impl)  # key<fry>[]
    c = gumbel(b)  # f32[8]
    d = lax.add(c, a)  # f32[8]
    e = lax.argmax(d, 0, i32)  # i32[]
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
