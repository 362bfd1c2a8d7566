# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jax_keys.py:44 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4528ab26abbf6bb2eaffdbf13548d0b21cdd939efd6c761be577e9bbefbae2fd"
# outputs_sha256 = "73d012d56d0db80ab6be73e21249d12daeac9a8a6c071c7d66203b42c816d412"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jax_keys.py:44): written by jace-repro, needs only jax and numpy."""

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
    d = primitives.random_bits_p.bind(a, bit_width=32, shape=())  # u32[3]
    e = lax.shift_right_logical(d, np.uint32(9))  # u32[3]
    f = lax.bitwise_or(e, np.uint32(1065353216))  # u32[3]
    g = lax.bitcast_convert_type_p.bind(f, new_dtype=f32)  # f32[3]
    h = lax.sub(g, np.float32(1.0))  # f32[3]
    i = lax.sub(c, b)  # f32[]
    j = lax.mul(h, i)  # f32[3]
    k = lax.add(j, b)  # f32[3]
    l = lax.max(b, k)  # f32[3]
    return l


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[3]
    c = lax.erf_inv(b)  # f32[3]
    d = lax.mul(np.float32(1.4142135), c)  # f32[3]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[3]
    return b


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
    ]


def repro(a):
    b = primitives.random_split_p.bind(a, shape=(3,))  # key<fry>[3]  jax_keys.py:44
    c = normal(b)  # f32[3]  jax_keys.py:44
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
