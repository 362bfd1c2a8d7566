# /// jace-repro
# schema = 1
# name = "related/950512113001213"
# origin = "jace-repro fuzz: related/950512113001213"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "2fdf7dcf2c87"
# fingerprint = "919763c0ffc73c289d468a7ebb38df5ece727abefee4ef538497c7d6c63bb6c2"
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
"""related/950512113001213 (950512113001213): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(-3e38),  # a: f32[]
    ]


def repro(a):
    b = lax.div(a, np.float32(3e38))  # f32[]
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected -1.0, got -0.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
