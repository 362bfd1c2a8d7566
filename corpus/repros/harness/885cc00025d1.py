# /// jace-repro
# schema = 1
# name = "sort_dtypes_num_arrays_1_shape_bool_5_7_axis_0_isstable_Fals"
# origin = "jax harness sort_dtypes_num_arrays_1_shape_bool_5_7_axis_0_isstable_False_num_keys_1"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "885cc00025d1c7ff770fe5e8da79613f1af0b04be3dcf7a46522bacec2065353"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sort_dtypes_num_arrays_1_shape_bool_5_7_axis_0_isstable_Fals (jax harness sort_dtypes_num_arrays_1_shape_bool_5_7_axis_0_isstable_False_num_keys_1): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.full((5, 7), True, np.bool_),  # a = dyn_args[0]: bool[5,7]
    ]


def repro(a):
    (b,) = lax.sort_p.bind(a, dimension=0, is_stable=False, num_keys=1)  # bool[5,7]
    # result[0]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
