# /// jace-repro
# schema = 1
# name = "reduce_min_dtypes_shape_uint16_2_3_"
# origin = "jax harness reduce_min_dtypes_shape_uint16_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "18ed0b2777503bf8728d6f3da75217fef9a846d1a60b87b290697584e0369402"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_min_dtypes_shape_uint16_2_3_ (jax harness reduce_min_dtypes_shape_uint16_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[0, 4, 1], [2, 0, 2]], np.uint16),  # a = dyn_args[0]: u16[2,3]
    ]


def repro(a):
    b = lax.reduce_min(a, axes=(0,))  # u16[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
