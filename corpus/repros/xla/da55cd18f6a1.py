# /// jace-repro
# schema = 1
# name = "polygamma/9200000817"
# origin = "jace-repro fuzz: polygamma/9200000817"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "da55cd18f6a1"
# fingerprint = "a0c050bd35cd2e9f913ae06d8514b3fb266bc9dab1e5ffe3c2acf660fdefbaa0"
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
"""polygamma/9200000817 (9200000817): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[[1.0]]]], jnp.bfloat16),  # a: bf16[1,1,1,1]
        np.array([[[[-9.2]]]], jnp.bfloat16),  # b: bf16[1,1,1,1]
    ]


def repro(a, b):
    c = lax.polygamma(a, b)  # bf16[1,1,1,1]  polygamma-9200000817.py:47
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0, 0, 0]: expected 31.875, got -1.48767e+07
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
