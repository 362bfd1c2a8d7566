# /// jace-repro
# schema = 1
# name = "count"
# origin = "dead.py:11 (count)"
# pipeline = "fused"
# outcome = "reference-crash"
# signature = "69c13da6c5b7"
# fingerprint = "22cb3c1d61c6e9cbdafcd59f45732f9a5c67b5ad3e5bb0104b987ca6b1da0766"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""count (dead.py:11): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax

i32 = np.dtype("int32")


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def cond(a):
    b = lax.lt(a, weak(0, i32))  # bool[] weak
    return b


@jax.jit
def larger(a, b):
    c = lax.abs(a)  # f32[]
    d = lax.abs(b)  # f32[]
    e = lax.gt(c, d)  # bool[]
    f = lax.select_n(e, b, a)  # f32[]
    return f


def reducer(a, b):
    c = larger(a, b)  # f32[]
    return c


def body(a, b):
    _ = lax.reduce(a, np.float32(0.0), reducer, (0,))  # f32[]
    c = lax.add(b, weak(0, i32))  # i32[] weak
    return c


def inputs():
    return [
        np.array([0.0, 0.0, 0.0], np.float32),  # a: f32[3]
    ]


def repro(a):
    b = lax.while_loop(cond, functools.partial(body, a), 0)  # i32[] weak
    return b


FINDING = """\
XLA is asked to run the program now; where the bug is still there, it ends this process.
jace-repro found a reference-crash on pipeline fused. The worker process died (a signal) while XLA
compiled or ran the program, before DaCe had anything to do with it.
  the program crashes under plain JAX: SIGSEGV while XLA compiles, in stage 'reference': Fatal Python error: Segmentation fault
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    print(FINDING, flush=True)
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
