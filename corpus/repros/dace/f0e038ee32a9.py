# /// jace-repro
# schema = 1
# name = "composed/20261124000000"
# origin = "jace-repro fuzz: composed/20261124000000"
# pipeline = "canonical/simplify+xform:BufferTiling"
# outcome = "pass-error"
# signature = "f0e038ee32a9"
# fingerprint = "02fb94ce1876251619dd6c78e70992f2fabf32e386ba7ad937ca02dc0b32a993"
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
"""composed/20261124000000 (20261124000000): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[0.0]]], jnp.bfloat16),  # a: bf16[1,1,1]
    ]


def repro(a):
    b = lax.add(a, np.array(0.0, jnp.bfloat16))  # bf16[1,1,1]  composed-20261124000000.py:46
    c = lax.sin(b)  # bf16[1,1,1]  composed-20261124000000.py:44
    d = lax.mul(c, b)  # bf16[1,1,1]  composed-20261124000000.py:45
    return d


FINDING = """\
Above is what XLA computes.
jace-repro found a pass-error on pipeline canonical/simplify+xform:BufferTiling. A pass of the
pipeline (a DaCe transformation, say) raised an exception.
  PassError: pass 'BufferTiling' failed: StopIteration:
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
