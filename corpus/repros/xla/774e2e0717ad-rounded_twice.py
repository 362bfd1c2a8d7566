# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "c16p.py:3 (<lambda>)"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "774e2e0717ad"
# cpu = "-avx512fp16"
# fingerprint = "3591652f1e17bca575e4f537d566c92ecdf818ea19828a674c7803a2b33db2a9"
# outputs_sha256 = "90acfcaf6768a7996c2126861f86e270ab41b7323fb4e84969389edeaa6cab62"
# self_check = "exact"
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
"""<lambda> (c16p.py:3): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax

f16 = np.dtype("float16")


def inputs():
    return [
        np.array([1.0004882812509095], np.float64),  # a = x: f64[1]
    ]


def repro(a):
    b = lax.convert_element_type(a, f16)  # f16[1]  c16p.py:3
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0]: expected 1.0009765625, got 1.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
