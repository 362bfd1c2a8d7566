# /// jace-repro
# schema = 1
# name = "add_any_dtypes_lhs_int8_2_rhs_int8_2_"
# origin = "jax harness add_any_dtypes_lhs_int8_2_rhs_int8_2_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7c18f66fdd9f6a019cd69ee8c2a5045ed69fa036a12e6109c0d09b75310fdf33"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""add_any_dtypes_lhs_int8_2_rhs_int8_2_ (jax harness add_any_dtypes_lhs_int8_2_rhs_int8_2_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([-3, 1], np.int8),  # a = dyn_args[0]: i8[2]
        np.array([0, 3], np.int8),  # b = dyn_args[1]: i8[2]
    ]


def repro(a, b):
    c = primitives.add_jaxvals_p.bind(a, b)  # i8[2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
