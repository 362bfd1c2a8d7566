# /// jace-repro
# schema = 1
# name = "dynamic_slice_dtypes_a_float16_3_start_indices_1_limit_indic"
# origin = "jax harness dynamic_slice_dtypes_a_float16_3_start_indices_1_limit_indices_2_enablexla_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "afe39a6d9d2b70ca553278da68fc8a8aca20f14e7fa13c81b6271e8151ed282a"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""dynamic_slice_dtypes_a_float16_3_start_indices_1_limit_indic (jax harness dynamic_slice_dtypes_a_float16_3_start_indices_1_limit_indices_2_enablexla_False): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-3.715, 2.53, 3.873], np.float16),  # a = dyn_args[0]: f16[3]
        np.array([1], np.int32),  # b = dyn_args[1]: i32[1]
    ]


def repro(a, b):
    c = lax.slice(b, (0,), (1,), (1,))  # i32[1]
    d = lax.squeeze(c, (0,))  # i32[]
    e = lax.lt(d, np.int32(0))  # bool[]
    f = lax.add(d, np.int32(3))  # i32[]
    g = lax.select_n(e, d, f)  # i32[]
    h = lax.dynamic_slice_p.bind(a, g, slice_sizes=(1,))  # f16[1]
    return h


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
