# /// jace-repro
# schema = 1
# name = "polygamma/9100000089/x64"
# origin = "jace-repro fuzz: polygamma/9100000089/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "11dc6ca48b93"
# fingerprint = "641986acadd98da5d5c51b7592c0aa11d28e602fbd842ea4e1c8b2ca946c1b78"
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
"""polygamma/9100000089/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[65500.0]]], np.float16),  # a: f16[1,1,1]
    ]


def repro(a):
    b = lax.polygamma(a, np.float16(1.0))  # f16[1,1,1]  polygamma-9100000089-x64.py:51
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0, 0]: expected -inf, got nan
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
