# /// jace-repro
# schema = 1
# name = "digamma/950512113001659"
# origin = "jace-repro fuzz: digamma/950512113001659"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "c44fa22e5849"
# fingerprint = "b79274bc6fce731e62645089ed725783c33567a5fae9532318f934b81021f241"
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
"""digamma/950512113001659 (950512113001659): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(1.46),  # a: f32[]
    ]


def repro(a):
    b = lax.digamma(a)  # f32[]
    return b


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected -0.001580525073222816, got -0.0015801787376403809
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
