# /// jace-repro
# schema = 1
# name = "clamp_dtypes_min_int16_operand_int16_2_3_max_int16_"
# origin = "jax harness clamp_dtypes_min_int16_operand_int16_2_3_max_int16_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "cec871874811407a3036a75bb4abde3d75474dd8aabca919c2141dbfbdd950ff"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""clamp_dtypes_min_int16_operand_int16_2_3_max_int16_ (jax harness clamp_dtypes_min_int16_operand_int16_2_3_max_int16_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.int16(-1),  # a = dyn_args[0]: i16[]
        np.array([[0, 0, 0], [-2, 2, 1]], np.int16),  # b = dyn_args[1]: i16[2,3]
        np.int16(3),  # c = dyn_args[2]: i16[]
    ]


def repro(a, b, c):
    d = lax.clamp(a, b, c)  # i16[2,3]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
