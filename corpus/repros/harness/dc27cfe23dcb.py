# /// jace-repro
# schema = 1
# name = "rem_dtypes_lhs_uint8_2_rhs_uint8_2_"
# origin = "jax harness rem_dtypes_lhs_uint8_2_rhs_uint8_2_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "dc27cfe23dcbf947c834cabdfd60c3efc76ad8cedc56caa6094ec0903afc79d4"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""rem_dtypes_lhs_uint8_2_rhs_uint8_2_ (jax harness rem_dtypes_lhs_uint8_2_rhs_uint8_2_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([3, 1], np.uint8),  # a = dyn_args[0]: u8[2]
        np.array([2, 2], np.uint8),  # b = dyn_args[1]: u8[2]
    ]


def repro(a, b):
    c = lax.rem(a, b)  # u8[2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
