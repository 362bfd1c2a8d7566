# /// jace-repro
# schema = 1
# name = "reduce_max_dtypes_shape_uint16_2_3_"
# origin = "jax harness reduce_max_dtypes_shape_uint16_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7f8281eb54077baf136dce186b09227db4223efe1a6f94157cae53f2211f5913"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_max_dtypes_shape_uint16_2_3_ (jax harness reduce_max_dtypes_shape_uint16_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[3, 0, 1], [6, 3, 0]], np.uint16),  # a = dyn_args[0]: u16[2,3]
    ]


def repro(a):
    b = lax.reduce_max(a, axes=(0,))  # u16[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
