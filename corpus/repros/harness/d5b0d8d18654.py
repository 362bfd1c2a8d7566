# /// jace-repro
# schema = 1
# name = "dynamic_update_slice_dtypes_operand_float16_3_update_float16"
# origin = "jax harness dynamic_update_slice_dtypes_operand_float16_3_update_float16_1_start_indices_1_enable_xla_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d5b0d8d18654b3a5595d7f872278c133e74105e20df8b2eea87ad9057dbf38d5"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""dynamic_update_slice_dtypes_operand_float16_3_update_float16 (jax harness dynamic_update_slice_dtypes_operand_float16_3_update_float16_1_start_indices_1_enable_xla_False): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-0.6665, -2.945, -3.48], np.float16),  # a = dyn_args[0]: f16[3]
        np.array([2.195], np.float16),  # b = dyn_args[1]: f16[1]
        np.array([1], np.int32),  # c = dyn_args[2]: i32[1]
    ]


def repro(a, b, c):
    d = lax.slice(c, (0,), (1,), (1,))  # i32[1]
    e = lax.squeeze(d, (0,))  # i32[]
    f = lax.lt(e, np.int32(0))  # bool[]
    g = lax.add(e, np.int32(3))  # i32[]
    h = lax.select_n(f, e, g)  # i32[]
    i = lax.dynamic_update_slice_p.bind(a, b, h)  # f16[3]
    return i


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
