# /// jace-repro
# schema = 1
# name = "transpose_dtypes_shape_uint32_2_3_permutation_1_0_"
# origin = "jax harness transpose_dtypes_shape_uint32_2_3_permutation_1_0_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ce00f747b46a5e5aecd5e818f3d3b4f29d6e987295763c3c5fa8ded6ba268811"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""transpose_dtypes_shape_uint32_2_3_permutation_1_0_ (jax harness transpose_dtypes_shape_uint32_2_3_permutation_1_0_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1, 2, 2], [5, 2, 4]], np.uint32),  # a = dyn_args[0]: u32[2,3]
    ]


def repro(a):
    b = lax.transpose(a, (1, 0))  # u32[3,2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
