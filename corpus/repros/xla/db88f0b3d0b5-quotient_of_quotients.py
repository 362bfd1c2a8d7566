# /// jace-repro
# schema = 1
# name = "nnsmith-279"
# origin = "mutants.generators: nnsmith-279"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "db88f0b3d0b5"
# fingerprint = "6ef3783586d80e209ce16131d0f0748cfa328bf6e6aa8f89741277772b63c31d"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""nnsmith-279 (mutants.generators: nnsmith-279): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.float16(0.0001),  # a: f16[]
    ]


def repro(a):
    b = lax.div(a, a)  # f16[]  nnsmith.py:85
    c = lax.div(b, b)  # f16[]  nnsmith.py:85
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected 1.0, got nan
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
