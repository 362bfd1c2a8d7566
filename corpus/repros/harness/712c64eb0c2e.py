# /// jace-repro
# schema = 1
# name = "bitcast_convert_type_dtypes_to_new_dtypes_shape_bool_2_3_new"
# origin = "jax harness bitcast_convert_type_dtypes_to_new_dtypes_shape_bool_2_3_newdtype_bool"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "712c64eb0c2e6e9782b0470b079fad0a710a8b4e92d2d7de8b257774eb1aaf0a"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""bitcast_convert_type_dtypes_to_new_dtypes_shape_bool_2_3_new (jax harness bitcast_convert_type_dtypes_to_new_dtypes_shape_bool_2_3_newdtype_bool): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

bool_ = np.dtype("bool")


def inputs():
    return [
        np.array([[True, True, True], [True, True, True]], np.bool_),  # a = dyn_args[0]: bool[2,3]
    ]


def repro(a):
    b = lax.bitcast_convert_type_p.bind(a, new_dtype=bool_)  # bool[2,3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
