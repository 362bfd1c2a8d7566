# /// jace-repro
# schema = 1
# name = "reduce_min_dtypes_shape_uint32_2_3_"
# origin = "jax harness reduce_min_dtypes_shape_uint32_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "0b76a7a7b394641c4737aef5f98ef17f1765163bf40b5287f3393340bfd72934"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_min_dtypes_shape_uint32_2_3_ (jax harness reduce_min_dtypes_shape_uint32_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[4, 0, 0], [1, 0, 4]], np.uint32),  # a = dyn_args[0]: u32[2,3]
    ]


def repro(a):
    b = lax.reduce_min(a, axes=(0,))  # u32[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
