# /// jace-repro
# schema = 1
# name = "reduce_xor/20261124000005/x64"
# origin = "jace-repro fuzz: reduce_xor/20261124000005/x64"
# pipeline = "canonical/simplify+xform:BufferTiling"
# outcome = "pass-error"
# signature = "f0dc8e5f2b38"
# fingerprint = "3bfb3b62f82d2e594579125850fb88fd2b933ed44654779ba07281d716ce97ce"
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
"""reduce_xor/20261124000005/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[False]], np.bool_),  # a: bool[1,1]
    ]


def repro(a):
    b = lax.transpose(a, (1, 0))  # bool[1,1]  reduce_xor-20261124000005-x64.py:48
    c = lax.transpose(b, (1, 0))  # bool[1,1]  reduce_xor-20261124000005-x64.py:49
    return c


FINDING = """\
Above is what XLA computes.
jace-repro found a pass-error on pipeline canonical/simplify+xform:BufferTiling. A pass of the
pipeline (a DaCe transformation, say) raised an exception.
  PassError: pass 'BufferTiling' failed: ValueError: Transformation cannot be applied on the given subgraph ("can_be_applied" failed)
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
