# /// jace-repro
# schema = 1
# name = "bitcast_convert_type_dtypes_to_new_dtypes_shape_int8_2_3_new"
# origin = "jax harness bitcast_convert_type_dtypes_to_new_dtypes_shape_int8_2_3_newdtype_int8"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "a3603e494a1f1f8ac9a8a89484f0dc22b05dc4b7b5e55b9c16156c7a2a0e82f5"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""bitcast_convert_type_dtypes_to_new_dtypes_shape_int8_2_3_new (jax harness bitcast_convert_type_dtypes_to_new_dtypes_shape_int8_2_3_newdtype_int8): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

i8 = np.dtype("int8")


def inputs():
    return [
        np.array([[5, -5, 5], [0, 1, 3]], np.int8),  # a = dyn_args[0]: i8[2,3]
    ]


def repro(a):
    b = lax.bitcast_convert_type_p.bind(a, new_dtype=i8)  # i8[2,3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
