# /// jace-repro
# schema = 1
# name = "reshape_dtypes_shape_bfloat16_2_3_newsizes_3_2_dimensions_0_"
# origin = "jax harness reshape_dtypes_shape_bfloat16_2_3_newsizes_3_2_dimensions_0_1_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e51666fb71b306e6a88886ff5a8e5537c83e6e0bd17a6f050f7da44d694633ff"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reshape_dtypes_shape_bfloat16_2_3_newsizes_3_2_dimensions_0_ (jax harness reshape_dtypes_shape_bfloat16_2_3_newsizes_3_2_dimensions_0_1_): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[-5.25, 0.0903, -5.06], [4.38, 0.434, 0.754]], jnp.bfloat16),  # a = dyn_args[0]: bf16[2,3]
    ]


def repro(a):
    b = lax.reshape(a, (3, 2))  # bf16[3,2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
