# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "fnuz_sort.py:3 (<lambda>)"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "890e893a3bc5"
# fingerprint = "098575f47f8a562db952ae7b8dd2f702ac3a4d35e795567807059b20d7b7254d"
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
"""<lambda> (fnuz_sort.py:3): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([1.0, np.nan, -2.0], jnp.float8_e4m3fnuz),  # a: f8_e4m3fnuz[3]
    ]


def repro(a):
    b = lax.sort(a)  # f8_e4m3fnuz[3]  fnuz_sort.py:3
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0]: expected -2, got nan
  output 0[1]: expected 1, got -2
  output 0[2]: expected nan, got 1
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
