# /// jace-repro
# schema = 1
# name = "composed/731000130"
# origin = "jace-repro fuzz: composed/731000130"
# pipeline = "canonical/auto-optimize"
# outcome = "mismatch"
# signature = "5aeda841d073"
# fingerprint = "af748a375ee671be77f3d4b4ce265093735098025235560bec06f106b2841d55"
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
"""composed/731000130 (731000130): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1.0, 1.0]], np.float32),  # a: f32[1,2]
    ]


def repro(a):
    b = lax.igamma_grad_a_p.bind(a, a)  # f32[1,2]  731000130 4dc5a882>:38
    return b


FINDING = """\
Above is what XLA computes, and it is right.
jace-repro found a mismatch on pipeline canonical/auto-optimize. DaCe's outputs are wrong: they
differ from XLA's and from a higher-precision evaluation by more than rounding explains.
  output 0[0, 0]: expected -0.43172967433929443, got -0.3435848355293274
  output 0[0, 1]: expected -0.43172967433929443, got -0.3435848355293274
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
