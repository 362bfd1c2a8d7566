# /// jace-repro
# schema = 1
# name = "composed/731000142"
# origin = "jace-repro fuzz: composed/731000142"
# pipeline = "canonical/auto-optimize"
# outcome = "pass-error"
# signature = "eaf7c7f75a14"
# fingerprint = "3fd9ce2ae26104672794f0da8c399b7f8d36de2fddab912c2701e4a05058f74b"
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
"""composed/731000142 (731000142): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[0], [0], [0]]], np.int32),  # a: i32[1,3,1]
        np.array([[[0]], [[0]], [[0]], [[0]], [[0]], [[0]], [[0]], [[0]], [[0]]], np.int32),  # b: i32[9,1,1]
    ]


def repro(a, b):
    c = lax.conv_general_dilated(  # i32[1,9,1]  composed-731000142.py:587
        a, b, (1,), ((0, 0),), feature_group_count=3
    )
    d = lax.shift_left(c, np.int32(0))  # i32[1,9,1]  composed-731000142.py:605
    return d


FINDING = """\
Above is what XLA computes.
jace-repro found a pass-error on pipeline canonical/auto-optimize. A pass of the pipeline (a DaCe
transformation, say) raised an exception.
  PassError: pass 'auto-optimize' failed: NotImplementedError: Cannot eliminate dead connector "None" on tasklet due to connector type inference failure.
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
