# /// jace-repro
# schema = 1
# name = "igamma/9100000083/x64"
# origin = "jace-repro fuzz: igamma/9100000083/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "3e69d8202944"
# fingerprint = "9f455a052f5abf50c5ed132f367e690c7110f561879769bd3cf4e24def4c044b"
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
"""igamma/9100000083/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a: f64[2,4]
        np.array([[50.0, 200.0, 3.0, 0.0], [0.0, -5.0, 2.0, 1.7976931348623153e308]], np.float64),
        np.array([[1.0, 2.0, 3.0, 4.0]], np.float64),  # b: f64[1,4]
    ]


def repro(a, b):
    c = lax.igamma(a, b)  # f64[2,4]  igamma-9100000083-x64.py:52
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0]: expected 1.2337508979097347e-65, got 1.2337508979097585e-65
  output 0[1, 3]: expected 0.0, got nan
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
