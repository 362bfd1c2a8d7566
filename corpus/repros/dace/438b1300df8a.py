# /// jace-repro
# schema = 1
# name = "composed/20261124000012"
# origin = "jace-repro fuzz: composed/20261124000012"
# pipeline = "canonical/simplify+xform:OTFMapFusion"
# outcome = "compile-error"
# signature = "438b1300df8a"
# fingerprint = "52095ceb6b55e99964d5e1cdd275af8bbae11a952c428453d6bbe7296a2119c2"
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
        np.array([[0.0, 0.0]], np.float32),  # a: f32[1,2]
        np.float32(0.0),  # b: f32[]
        np.array([[0.0]], np.float32),  # c: f32[1,1]
    ]


def repro(a, b, c):
    d = lax.pad(a, b, ((1, 1, 0), (1, 1, 0)))  # f32[3,4]  composed-20261124000012.py:90
    e = lax.slice(d, (1, 2), (2, 4))  # f32[1,2]  composed-20261124000012.py:103
    f = lax.add(c, e)  # f32[1,2]  composed-20261124000012.py:104
    g = lax.mul(f, np.float32(0.0))  # f32[1,2]  composed-20261124000012.py:105
    return g


FINDING = """\
Above is what XLA computes.
jace-repro found a compile-error on pipeline canonical/simplify+xform:OTFMapFusion. The C++ compiler
is missing or rejected the generated code.
  CompileError: the C++ compiler failed with exit status 1
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
