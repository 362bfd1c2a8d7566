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

import functools

import jax
import numpy as np
from jax import lax


def body(a, carry, rows):
    b, c = carry
    d = lax.add(b, a)  # f32[2]  e0001_vibrate.py:78
    return (c, d), None


def inputs():
    return [
        np.array([1.0], np.float32),  # a: f32[1]
        np.array([0.0, 0.0], np.float32),  # b: f32[2]
    ]


def repro(a, b):
    (_, c), _ = lax.scan(  # f32[2], f32[2]  e0001_vibrate.py:89
        functools.partial(body, a), (b, b), None, length=2
    )
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
