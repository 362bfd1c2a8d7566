# /// jace-repro
# schema = 1
# name = "signed"
# origin = "signed.py:5 (signed)"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "7f8e0128aede"
# fingerprint = "2ba73ff5d32b115cc3e25709bbf5742414c3b2c103f54d2a9638721b34a828d5"
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
"""signed (signed.py:5): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def inputs():
    return [
        np.bool_(False),  # a: bool[]
    ]


def repro(a):
    b = lax.convert_element_type(a, f32)  # f32[]  signed.py:7
    c = lax.mul(np.float32(-3.0), b)  # f32[]  signed.py:7
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected -0.0, got 0.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
