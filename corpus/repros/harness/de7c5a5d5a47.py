# /// jace-repro
# schema = 1
# name = "xor_dtypes_lhs_bool_20_20_rhs_bool_20_20_"
# origin = "jax harness xor_dtypes_lhs_bool_20_20_rhs_bool_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "de7c5a5d5a4790755d6ade749fa941d79c19a8d5f3b508f1770b22d3a11dc3f0"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""xor_dtypes_lhs_bool_20_20_rhs_bool_20_20_ (jax harness xor_dtypes_lhs_bool_20_20_rhs_bool_20_20_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.full((20, 20), True, np.bool_),  # a = dyn_args[0]: bool[20,20]
        np.full((20, 20), True, np.bool_),  # b = dyn_args[1]: bool[20,20]
    ]


def repro(a, b):
    c = lax.bitwise_xor(a, b)  # bool[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
