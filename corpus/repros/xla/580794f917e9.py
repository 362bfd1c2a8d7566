# /// jace-repro
# schema = 1
# name = "igamma/950512113000662/x64"
# origin = "jace-repro fuzz: igamma/950512113000662/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "580794f917e9"
# fingerprint = "c1203978ae04d9ba35c6fa9c502af4364bc368feeab808357d78d238b2621614"
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
"""igamma/950512113000662/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(1.1754945e-38),  # a: f32[]
    ]


def repro(a):
    b = lax.igamma(a, a)  # f32[]
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected 1.0, got 0.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
