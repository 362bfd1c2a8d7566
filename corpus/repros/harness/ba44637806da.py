# /// jace-repro
# schema = 1
# name = "transpose_dtypes_shape_uint16_2_3_permutation_1_0_"
# origin = "jax harness transpose_dtypes_shape_uint16_2_3_permutation_1_0_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ba44637806dad1c464e35382038d29e61dfe619eb038245c7fd138298d951e03"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""transpose_dtypes_shape_uint16_2_3_permutation_1_0_ (jax harness transpose_dtypes_shape_uint16_2_3_permutation_1_0_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[1, 1, 1], [8, 0, 0]], np.uint16),  # a = dyn_args[0]: u16[2,3]
    ]


def repro(a):
    b = lax.transpose(a, (1, 0))  # u16[3,2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
