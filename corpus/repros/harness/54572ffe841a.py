# /// jace-repro
# schema = 1
# name = "pad_inshape_int8_2_3_pads_0_0_0_0_0_0_enable_xla_True"
# origin = "jax harness pad_inshape_int8_2_3_pads_0_0_0_0_0_0_enable_xla_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "54572ffe841a6f04a2ae3733a12e09d0ca277a94923bb290b1574393797a2f0a"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""pad_inshape_int8_2_3_pads_0_0_0_0_0_0_enable_xla_True (jax harness pad_inshape_int8_2_3_pads_0_0_0_0_0_0_enable_xla_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[0, 0, 0], [0, 0, 0]], np.int8),  # a = dyn_args[0]: i8[2,3]
        np.int8(0),  # b = dyn_args[1]: i8[]
    ]


def repro(a, b):
    c = lax.pad(a, b, ((0, 0, 0), (0, 0, 0)))  # i8[2,3]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
