# /// jace-repro
# schema = 1
# name = "related/950512113000191/x64"
# origin = "jace-repro fuzz: related/950512113000191/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "1ac2ae69ec43"
# fingerprint = "bfb926399944cf60279b4a1597a084f9b0d5da2f23086601805bc20988bba4c0"
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
"""related/950512113000191/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(3e38),  # a: f32[]
    ]


def repro(a):
    b = lax.igammac(a, a)  # f32[]
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected 0.5, got nan
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
