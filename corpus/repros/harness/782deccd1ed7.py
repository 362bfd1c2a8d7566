# /// jace-repro
# schema = 1
# name = "random_categorical_shape_float16_8_axis_0"
# origin = "jax harness random_categorical_shape_float16_8_axis_0"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "782deccd1ed70319efec08a4bc5a6c5fd5c4e60716f99511d00074eb8bc7e8b8"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_categorical_shape_float16_8_axis_0 (jax harness random_categorical_shape_float16_8_axis_0): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

f16 = np.dtype("float16")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f16)  # f16[]
    e = lax.broadcast_in_dim(c, (1,), ())  # f16[1]
    f = lax.broadcast_in_dim(d, (1,), ())  # f16[1]
    g = primitives.random_bits_p.bind(a, bit_width=16, shape=(8,))  # u16[8]
    h = lax.shift_right_logical(g, np.uint16(6))  # u16[8]
    i = lax.bitwise_or(h, np.uint16(15360))  # u16[8]
    j = lax.bitcast_convert_type_p.bind(i, new_dtype=f16)  # f16[8]
    k = lax.sub(j, np.float16(1.0))  # f16[8]
    l = lax.sub(f, e)  # f16[1]
    m = lax.mul(k, l)  # f16[8]
    n = lax.add(m, e)  # f16[8]
    o = lax.max(e, n)  # f16[8]
    return o


@jit("_gumbel")
def gumbel(a):
    b = uniform(a, 1.0, np.float16(6.104e-05))  # f16[8]
    c = lax.log(b)  # f16[8]
    d = lax.neg(c)  # f16[8]
    e = lax.log(d)  # f16[8]
    f = lax.neg(e)  # f16[8]
    return f


def inputs():
    return [
        # a = dyn_args[0]: f16[8]
        np.array([2.488, 4.184, -1.177, 1.587, -0.5986, 0.997, -4.98, -3.025], np.float16),
    ]


def repro(a):
    b = primitives.random_seed_p.bind(np.int32(1337), impl=threefry_prng_impl)  # key<fry>[]
    c = gumbel(b)  # f16[8]
    d = lax.add(c, a)  # f16[8]
    e = lax.argmax(d, 0, i32)  # i32[]
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
