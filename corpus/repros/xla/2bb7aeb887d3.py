# /// jace-repro
# schema = 1
# name = "reciprocal"
# origin = "plus_zero.py:5 (reciprocal)"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "2bb7aeb887d3"
# fingerprint = "3e2e4852662cee0e5cfcf9d91e932ca5214c4e3e935fd48d8c5b742c9a777687"
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
"""reciprocal (plus_zero.py:5): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(-0.0),  # a: f32[]
    ]


def repro(a):
    b = lax.add(a, np.float32(0.0))  # f32[]  plus_zero.py:7
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected 0.0, got -0.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
