# /// jace-repro
# schema = 1
# name = "lgamma/9200000241"
# origin = "jace-repro fuzz: lgamma/9200000241"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "58e396c1ad77"
# fingerprint = "be5487bf0aa08a4da378d2af83af992086c43d11c9068cc780b2c0341b3d085c"
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
"""lgamma/9200000241 (9200000241): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1.0]], np.float32),  # a: f32[1,1]
    ]


def repro(a):
    b = lax.lgamma(a)  # f32[1,1]  lgamma-9200000241.py:45
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0]: expected 0.0, got 4.76837158203125e-07
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
