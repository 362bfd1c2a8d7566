# /// jace-repro
# schema = 1
# name = "dot_general_dtypes_and_precision_lhs_int32_3_4_rhs_int32_4_2"
# origin = "jax harness dot_general_dtypes_and_precision_lhs_int32_3_4_rhs_int32_4_2_dimensionnumbers_1_0_precision_Precision_HIGHEST_enable_xla_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d0611626e1c6eb91dd1382249f9a3156d101950c84b6cd8843746e0a60c9c564"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""dot_general_dtypes_and_precision_lhs_int32_3_4_rhs_int32_4_2 (jax harness dot_general_dtypes_and_precision_lhs_int32_3_4_rhs_int32_4_2_dimensionnumbers_1_0_precision_Precision_HIGHEST_enable_xla_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[0, 6, 0, -1], [-1, 3, -4, -4], [1, 3, -1, -2]], np.int32),  # a = dyn_args[0]: i32[3,4]
        np.array([[-2, -1], [-1, 0], [-2, 5], [2, 2]], np.int32),  # b = dyn_args[1]: i32[4,2]
    ]


def repro(a, b):
    c = lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # i32[3,2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
