# /// jace-repro
# schema = 1
# name = "igamma/9200000337"
# origin = "jace-repro fuzz: igamma/9200000337"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "3e69d8202944"
# fingerprint = "51f702ef2330c3938cf771b390209084de3a5e6d50357c55802171beabc7e252"
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
"""igamma/9200000337 (9200000337): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[3e38]], np.float32),  # a: f32[1,1]
        np.array([[9.0]], np.float32),  # b: f32[1,1]
    ]


def repro(a, b):
    c = lax.igamma(a, b)  # f32[1,1]  igamma-9200000337.py:46
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0]: expected 0.0, got nan
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
