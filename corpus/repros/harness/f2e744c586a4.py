# /// jace-repro
# schema = 1
# name = "reduce_sum_dtypes_shape_uint16_2_3_"
# origin = "jax harness reduce_sum_dtypes_shape_uint16_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f2e744c586a41a4e9234212678e6fba3aa5cad5f8e03389f7bb643943f68fbfa"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_sum_dtypes_shape_uint16_2_3_ (jax harness reduce_sum_dtypes_shape_uint16_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1, 0, 2], [1, 1, 2]], np.uint16),  # a = dyn_args[0]: u16[2,3]
    ]


def repro(a):
    b = lax.reduce_sum(a, axes=(0,))  # u16[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
