# /// jace-repro
# schema = 1
# name = "random_uniform_shape_float16_"
# origin = "jax harness random_uniform_shape_float16_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7e09388af2138f35d27a1f37f21cc3aaec4e57744ceaecbed636daf5890249f3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_uniform_shape_float16_ (jax harness random_uniform_shape_float16_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

f16 = np.dtype("float16")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f16)  # f16[]
    e = lax.convert_element_type(c, f16)  # f16[]
    f = primitives.random_bits_p.bind(a, bit_width=16, shape=())  # u16[]
    g = lax.shift_right_logical(f, np.uint16(6))  # u16[]
    h = lax.bitwise_or(g, np.uint16(15360))  # u16[]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f16)  # f16[]
    j = lax.sub(i, np.float16(1.0))  # f16[]
    k = lax.sub(e, d)  # f16[]
    l = lax.mul(j, k)  # f16[]
    m = lax.add(l, d)  # f16[]
    n = lax.reshape_p.bind(m, dimensions=None, new_sizes=(), sharding=None)  # f16[]
    o = lax.max(d, n)  # f16[]
    return o


def inputs():
    return []


def repro():
    a = primitives.random_seed_p.bind(np.int32(42), impl=threefry_prng_impl)  # key<fry>[]
    b = uniform(a, 0.0, 1.0)  # f16[]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
