# /// jace-repro
# schema = 1
# name = "rem_singularity_0_by_0_lhs_float32_2_rhs_float32_2_"
# origin = "jax harness rem_singularity_0_by_0_lhs_float32_2_rhs_float32_2_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f8b9790438b0cc2a821d2054890942d9b50936f5612fdefb1dfcd88740d35549"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""rem_singularity_0_by_0_lhs_float32_2_rhs_float32_2_ (jax harness rem_singularity_0_by_0_lhs_float32_2_rhs_float32_2_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([0.0, 0.0], np.float32),  # a = dyn_args[0]: f32[2]
        np.array([0.0, 0.0], np.float32),  # b = dyn_args[1]: f32[2]
    ]


def repro(a, b):
    c = lax.rem(a, b)  # f32[2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
