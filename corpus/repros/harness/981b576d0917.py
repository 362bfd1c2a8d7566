# /// jace-repro
# schema = 1
# name = "reduce_prod_dtypes_shape_int16_2_3_"
# origin = "jax harness reduce_prod_dtypes_shape_int16_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "981b576d0917a44833645d418537f84be00127dd581f94ddd8d64e8a46a2398e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_prod_dtypes_shape_int16_2_3_ (jax harness reduce_prod_dtypes_shape_int16_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[-1, 1, -8], [3, -2, 2]], np.int16),  # a = dyn_args[0]: i16[2,3]
    ]


def repro(a):
    b = lax.reduce_prod(a, axes=(0,))  # i16[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
