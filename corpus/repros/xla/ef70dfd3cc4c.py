# /// jace-repro
# schema = 1
# name = "sinh/731000023/x64"
# origin = "jace-repro fuzz: sinh/731000023/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "ef70dfd3cc4c"
# fingerprint = "b267555911fcdebd5e0e1c13c4dfa69d649456c056f66b93c4809a705350f4f0"
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
"""sinh/731000023/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a: c64[1,3,1]
        np.array(
            [[[complex(20.0, -3.5)], [complex(-0.001, -8.0)], [complex(1e-05, 9.999999e-31)]]], np.complex64
        ),
    ]


def repro(a):
    b = lax.sinh(a)  # c64[1,3,1]  sinh-731000023-x64.py:51
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 1, 0]: expected (0.0001455000601708889-0.9893587231636047j), got (0.00014550238847732544-0.9893587231636047j)
  output 0[0, 2, 0]: expected (9.999999747378752e-06+9.999999091315288e-31j), got (1.0013580322265625e-05+9.999999091315288e-31j)
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
