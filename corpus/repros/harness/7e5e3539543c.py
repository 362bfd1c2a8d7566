# /// jace-repro
# schema = 1
# name = "clamp_dtypes_min_int32_operand_int32_2_3_max_int32_"
# origin = "jax harness clamp_dtypes_min_int32_operand_int32_2_3_max_int32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7e5e3539543c3f2394cfee09eaa3d239a7b451528f59c199bb66cead65b760df"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""clamp_dtypes_min_int32_operand_int32_2_3_max_int32_ (jax harness clamp_dtypes_min_int32_operand_int32_2_3_max_int32_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.int32(2),  # a = dyn_args[0]: i32[]
        np.array([[0, 1, 4], [-2, 0, 4]], np.int32),  # b = dyn_args[1]: i32[2,3]
        np.int32(-4),  # c = dyn_args[2]: i32[]
    ]


def repro(a, b, c):
    d = lax.clamp(a, b, c)  # i32[2,3]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
