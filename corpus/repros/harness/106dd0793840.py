# /// jace-repro
# schema = 1
# name = "reduce_prod_dtypes_shape_int32_2_3_"
# origin = "jax harness reduce_prod_dtypes_shape_int32_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "106dd0793840f852cf9d752a37e9e5111e7e35a621d2a45b0a929454a40329b3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_prod_dtypes_shape_int32_2_3_ (jax harness reduce_prod_dtypes_shape_int32_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1, 3, -2], [-2, -6, -1]], np.int32),  # a = dyn_args[0]: i32[2,3]
    ]


def repro(a):
    b = lax.reduce_prod(a, axes=(0,))  # i32[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
