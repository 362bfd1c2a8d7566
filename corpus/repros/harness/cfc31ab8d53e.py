# /// jace-repro
# schema = 1
# name = "reduce_max_dtypes_shape_uint32_2_3_"
# origin = "jax harness reduce_max_dtypes_shape_uint32_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "cfc31ab8d53e8be91dc81a9947aab9dfa64f8ff646cde509fc8e6ed9698033d6"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_max_dtypes_shape_uint32_2_3_ (jax harness reduce_max_dtypes_shape_uint32_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[0, 4, 0], [0, 0, 0]], np.uint32),  # a = dyn_args[0]: u32[2,3]
    ]


def repro(a):
    b = lax.reduce_max(a, axes=(0,))  # u32[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
