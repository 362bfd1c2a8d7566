# /// jace-repro
# schema = 1
# name = "div_dtypes_lhs_uint8_2_rhs_uint8_2_"
# origin = "jax harness div_dtypes_lhs_uint8_2_rhs_uint8_2_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "beea7671966eee9b6f88e6f02ef4a6d5efe1e21d93e7adbb35d2b6acd96814f3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""div_dtypes_lhs_uint8_2_rhs_uint8_2_ (jax harness div_dtypes_lhs_uint8_2_rhs_uint8_2_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([0, 9], np.uint8),  # a = dyn_args[0]: u8[2]
        np.array([5, 1], np.uint8),  # b = dyn_args[1]: u8[2]
    ]


def repro(a, b):
    c = lax.div(a, b)  # u8[2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
