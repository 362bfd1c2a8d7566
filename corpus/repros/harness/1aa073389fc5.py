# /// jace-repro
# schema = 1
# name = "reduce_sum_dtypes_shape_uint32_2_3_"
# origin = "jax harness reduce_sum_dtypes_shape_uint32_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1aa073389fc52970647dabf56f14f015a7c0965a4953f2de38a4528d1653326f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_sum_dtypes_shape_uint32_2_3_ (jax harness reduce_sum_dtypes_shape_uint32_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[3, 2, 0], [2, 2, 0]], np.uint32),  # a = dyn_args[0]: u32[2,3]
    ]


def repro(a):
    b = lax.reduce_sum(a, axes=(0,))  # u32[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
