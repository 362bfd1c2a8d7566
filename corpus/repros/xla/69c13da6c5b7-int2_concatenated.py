# /// jace-repro
# schema = 1
# name = "concatenate/9"
# origin = "jace-repro fuzz: concatenate/9"
# pipeline = "fused"
# outcome = "reference-crash"
# signature = "69c13da6c5b7"
# fingerprint = "ad073695fd5adad38d4192eb454ed0831281c4a1b6d1ceee9ee4d9b25589f43f"
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
"""concatenate/9 (9): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[-1, 0]]], jnp.int2),  # a = x: i2[1,1,2]
        np.array([[[-1, 0], [1, -1]]], jnp.int2),  # b = y: i2[1,2,2]
    ]


def repro(a, b):
    c = lax.concatenate([a, b], 1)  # i2[1,3,2]  mk.py:10
    return c


FINDING = """\
XLA is asked to run the program now; where the bug is still there, it ends this process.
jace-repro found a reference-crash on pipeline fused. The worker process died (a signal) while XLA
compiled or ran the program, before DaCe had anything to do with it.
  the program crashes under plain JAX: SIGABRT while XLA compiles, in stage 'reference': F1129 06:53:22.858589 5278 ir_array.cc:598] Check failed: bit_offset != nullptr ((null) vs. (null)) | *** [...]
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    print(FINDING, flush=True)
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
