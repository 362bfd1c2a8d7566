# /// jace-repro
# schema = 1
# name = "dot_general_dtypes_and_precision_lhs_int16_3_4_rhs_int16_4_2"
# origin = "jax harness dot_general_dtypes_and_precision_lhs_int16_3_4_rhs_int16_4_2_dimensionnumbers_1_0_precision_Precision_DEFAULT_enable_xla_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d775f4ff68a1f993a5d3cab0b5e2c98102f170c8cc75ba52494c29a47835760e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""dot_general_dtypes_and_precision_lhs_int16_3_4_rhs_int16_4_2 (jax harness dot_general_dtypes_and_precision_lhs_int16_3_4_rhs_int16_4_2_dimensionnumbers_1_0_precision_Precision_DEFAULT_enable_xla_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[0, -1, 0, 0], [6, 4, 0, -1], [0, 0, -1, 2]], np.int16),  # a = dyn_args[0]: i16[3,4]
        np.array([[3, 0], [0, -3], [1, 0], [1, 0]], np.int16),  # b = dyn_args[1]: i16[4,2]
    ]


def repro(a, b):
    c = lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=lax.Precision.DEFAULT)  # i16[3,2]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
