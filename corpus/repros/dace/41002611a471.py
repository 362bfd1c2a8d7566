# /// jace-repro
# schema = 1
# name = "vibrate"
# origin = "corpus/programs/failing/wave_equation.py:21 (vibrate)"
# pipeline = "canonical/auto-optimize"
# outcome = "mismatch"
# signature = "41002611a471"
# fingerprint = "42a949f100216c159d0b5b3b26c6d9b32836743a2dd90fbf7983f72d91669e8c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""vibrate (wave_equation.py:21): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def body(a, b, c):
    d = lax.add(b, a)  # f32[2]  e0001_vibrate.py:78
    return c, d


def inputs():
    return [
        np.array([1.0], np.float32),  # a: f32[1]
        np.array([0.0, 0.0], np.float32),  # b: f32[2]
    ]


def repro(a, b):
    _, c = lax.scan_p.bind(  # f32[2], f32[2]  e0001_vibrate.py:89
        a,
        b,
        b,
        jaxpr=J(body, S((1,), f32), S((2,), f32), S((2,), f32)),
        length=2,
        num_carry=2,
        num_consts=1,
        reverse=False,
        unroll=1,
    )
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
