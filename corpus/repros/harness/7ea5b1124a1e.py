# /// jace-repro
# schema = 1
# name = "iota_dtypes_shape_int8_2_3_dimension_0"
# origin = "jax harness iota_dtypes_shape_int8_2_3_dimension_0"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7ea5b1124a1efba000e70ac9d3a5857e4d2c98f64a5c983f15dcea973763b353"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""iota_dtypes_shape_int8_2_3_dimension_0 (jax harness iota_dtypes_shape_int8_2_3_dimension_0): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

i8 = np.dtype("int8")


def inputs():
    return []


def repro():
    a = lax.broadcasted_iota(i8, (2, 3), 0)  # i8[2,3]
    return a


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
