# /// jace-repro
# schema = 1
# name = "save"
# origin = "corpus/programs/failing/savings.py:21 (save)"
# pipeline = "canonical/auto-optimize"
# outcome = "mismatch"
# signature = "41002611a471"
# fingerprint = "978215fb873e046f357c69df1f5391f7033808f252d859228ce0bd449798c16c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""save (savings.py:21): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def body(a, b):
    c = lax.add(a, 10.0)  # f32[] weak  savings.py:26
    d = lax.mul(b, c)  # f32[2]  savings.py:27
    return c, d


def inputs():
    return [
        np.array([[1.0, 1.0], [1.0, 1.0]], np.float32),  # a: f32[2,2]
    ]


def repro(a):
    _, b = lax.scan(body, 100.0, a)  # f32[] weak, f32[2,2]  savings.py:29
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
