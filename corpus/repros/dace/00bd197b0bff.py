# /// jace-repro
# schema = 1
# name = "composed/20261124000002/x64"
# origin = "jace-repro fuzz: composed/20261124000002/x64"
# pipeline = "canonical/auto-optimize"
# outcome = "compile-error"
# signature = "00bd197b0bff"
# fingerprint = "2fb8405e7b5620fc9f31c99ea7119009d608ab1ac2cec59a7a86728bccebb7f0"
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
"""composed/20261124000002/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(0.0),  # a: f32[]
    ]


def repro(a):
    b = lax.reduce_prod_p.bind(a, axes=())  # f32[]  composed-20261124000002-x64.py:150
    c = lax.eq(b, b)  # bool[]  composed-20261124000002-x64.py:151
    d = lax.select_n(c, np.float32(0.0), b)  # f32[]  composed-20261124000002-x64.py:80
    return d


FINDING = """\
Above is what XLA computes.
jace-repro found a compile-error on pipeline canonical/auto-optimize. The C++ compiler is missing or
rejected the generated code.
  CompileError: the C++ compiler failed with exit status 1
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
