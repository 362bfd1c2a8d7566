# /// jace-repro
# schema = 1
# name = "composed/1795717131000400"
# origin = "jace-repro fuzz: composed/1795717131000400"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "4c8103ce01c6"
# reason = "zeta(inf, 1) is 1, its first term"
# fingerprint = "ee7adfd5f0717b7e83ade4688c313b19ea9fd37a5c3b9ad04396b5bbcb3bdc18"
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
"""composed/1795717131000400 (1795717131000400): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(1.0),  # a: f32[]
    ]


def repro(a):
    b = lax.zeta(np.float32(np.inf), a)  # f32[]  1795717131000400 f26fd8d9>:38
    return b


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
