# /// jace-repro
# schema = 1
# name = "composed/20261124000012"
# origin = "jace-repro fuzz: composed/20261124000012"
# pipeline = "canonical/simplify+xform:CompositeFusion"
# outcome = "nondeterministic"
# signature = "f7154af90f6c"
# fingerprint = "476fca0506733b466a27e2bb8ac8810c2dbf93f8d89073c393a38685934cf4fe"
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
"""composed/20261124000012 (20261124000012): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[0.0], [0.0], [0.0], [0.0], [0.0], [0.0]]], np.float16),  # a: f16[1,6,1]
        np.array([[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]], np.float16),  # b: f16[1,3,2]
    ]


def repro(a, b):
    c = lax.conv_general_dilated(  # f16[2,1,1]  composed-20261124000012.py:162
        a, b, (1,), ((0, 0),), dimension_numbers=("NCW", "WIO", "CWN"), feature_group_count=2
    )
    return c


FINDING = """\
Above is what XLA computes.
jace-repro found a nondeterministic on pipeline canonical/simplify+xform:CompositeFusion. The same
binary gave different bits for the same inputs.
  two runs of the same binary on the same inputs differ: it reads memory that nobody has written: output 0[0, 0, 0]: got inf, expected -0.0 (inf; 2 of 2 elements); no equation diverges by itself
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
