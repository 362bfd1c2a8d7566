# /// jace-repro
# schema = 1
# name = "sweep_of_several/1795757662"
# origin = "operation sweep_of_several/1795757662"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "540f7ca1c0ac"
# cpu = "avx2"
# fingerprint = "ae9291724859b5b22eb21d23b8f5cdfd1f8cf45db47b9337f2fa96c5e138d6d7"
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
"""sweep_of_several/1795757662 (1795757662): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(0.01),  # a: f32[]
    ]


def repro(a):
    b = lax.betainc(np.float32(1.0), np.float32(90.0), a)  # f32[]  sweep_of_several-1795757662.py:47
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected 0.5952680110931396, got 0.5952903628349304
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
