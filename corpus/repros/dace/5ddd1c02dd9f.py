# /// jace-repro
# schema = 1
# name = "composed/20261124000020/x64"
# origin = "jace-repro fuzz: composed/20261124000020/x64"
# pipeline = "canonical/simplify+xform:BufferTiling"
# outcome = "pass-error"
# signature = "5ddd1c02dd9f"
# fingerprint = "4ec594d4b8efb50f351e8b369af8243888dcf4da8516764665163ecbec3fb2bc"
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
"""composed/20261124000020/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([False], np.bool_),  # a: bool[1]
        np.array([0.0], np.float16),  # b: f16[1]
    ]


def repro(a, b):
    c = lax.broadcast_in_dim(np.float16(0.0), (1,), ())  # f16[1]  composed-20261124000020-x64.py:86
    d = lax.select_n(a, b, c)  # f16[1]  composed-20261124000020-x64.py:87
    return d


FINDING = """\
Above is what XLA computes.
jace-repro found a pass-error on pipeline canonical/simplify+xform:BufferTiling. A pass of the
pipeline (a DaCe transformation, say) raised an exception.
  PassError: pass 'BufferTiling' failed: AttributeError: 'NoneType' object has no attribute 'ranges'
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
