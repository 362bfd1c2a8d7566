# /// jace-repro
# schema = 1
# name = "select_n_dtypes_shapepred_bool_2_3_shapeargs_int8_2_3_"
# origin = "jax harness select_n_dtypes_shapepred_bool_2_3_shapeargs_int8_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ff4154f32c05004d01aca362e89ecaac29ba702be981ae6ce1725933d6b5e7a3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""select_n_dtypes_shapepred_bool_2_3_shapeargs_int8_2_3_ (jax harness select_n_dtypes_shapepred_bool_2_3_shapeargs_int8_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[True, True, True], [True, True, True]], np.bool_),  # a = dyn_args[0]: bool[2,3]
        np.array([[0, 0, 0], [-3, -4, -4]], np.int8),  # b = dyn_args[1]: i8[2,3]
        np.array([[1, 1, -2], [-2, -1, 2]], np.int8),  # c = dyn_args[2]: i8[2,3]
    ]


def repro(a, b, c):
    d = lax.select_n(a, b, c)  # i8[2,3]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
