# /// jace-repro
# schema = 1
# name = "reduce_or_dtypes_shape_bool_2_3_"
# origin = "jax harness reduce_or_dtypes_shape_bool_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d1df26915c487fc8f1bf22a3b3f2ea4ce6a0609d587e14ce4fa79f6c81d6537e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_or_dtypes_shape_bool_2_3_ (jax harness reduce_or_dtypes_shape_bool_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[True, True, True], [True, True, True]], np.bool_),  # a = dyn_args[0]: bool[2,3]
    ]


def repro(a):
    b = lax.reduce_or(a, axes=(0,))  # bool[3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
