# /// jace-repro
# schema = 1
# name = "complex_dtypes_lhs_float32_3_4_rhs_float32_3_4_"
# origin = "jax harness complex_dtypes_lhs_float32_3_4_rhs_float32_3_4_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "38d630ab567351bfb5661a875fac83946be9de179b4dbf7fbcfc13d47a54ba4e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""complex_dtypes_lhs_float32_3_4_rhs_float32_3_4_ (jax harness complex_dtypes_lhs_float32_3_4_rhs_float32_3_4_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: f32[3,4]
        np.array(
            [
                [3.478706, 3.8369074, -3.6744983, -0.6642644],
                [0.21170643, -2.5022724, -0.69553417, -7.0123806],
                [1.0748117, 5.9232097, 0.86593986, 1.8525614],
            ],
            np.float32,
        ),
        # b = dyn_args[1]: f32[3,4]
        np.array(
            [
                [-7.225676, -0.9610491, -2.35615, -4.613568],
                [-1.761309, 3.8053095, 1.8361484, 2.8213503],
                [0.4079744, -3.223413, 1.8564566, -3.3177178],
            ],
            np.float32,
        ),
    ]


def repro(a, b):
    c = lax.complex(a, b)  # c64[3,4]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
