# /// jace-repro
# schema = 1
# name = "cummax/20261124000011/x64"
# origin = "jace-repro fuzz: cummax/20261124000011/x64"
# pipeline = "canonical/simplify+xform:OTFMapFusion"
# outcome = "mismatch"
# signature = "7fe7cdae7964"
# fingerprint = "7901af790338e36877206f3d440ba11d05f2cb2bf810fdfb75ba48650ccf9a18"
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
"""cummax/20261124000011/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[9], [2]]], np.uint16),  # a: u16[1,2,1]
    ]


def repro(a):
    b = lax.cummax(a, axis=1)  # u16[1,2,1]  cummax-20261124000011-x64.py:51
    return b


FINDING = """\
Above is what XLA computes, and it is right.
jace-repro found a mismatch on pipeline canonical/simplify+xform:OTFMapFusion. DaCe's outputs are
wrong: they differ from XLA's and from a higher-precision evaluation by more than rounding explains.
  output 0[0, 1, 0]: expected 9, got 2
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
