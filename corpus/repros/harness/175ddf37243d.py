# /// jace-repro
# schema = 1
# name = "add_any_dtypes_lhs_int32_2_rhs_int32_2_"
# origin = "jax harness add_any_dtypes_lhs_int32_2_rhs_int32_2_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "175ddf37243d60f315234dea45286193cc63c24fa0029e27e939a9a473eb0949"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""add_any_dtypes_lhs_int32_2_rhs_int32_2_ (jax harness add_any_dtypes_lhs_int32_2_rhs_int32_2_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([-5, -3], np.int32),  # a = dyn_args[0]: i32[2]
        np.array([5, -3], np.int32),  # b = dyn_args[1]: i32[2]
    ]


def repro(a, b):
    c = primitives.add_jaxvals_p.bind(a, b)  # i32[2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
