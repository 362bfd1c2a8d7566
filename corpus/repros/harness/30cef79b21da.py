# /// jace-repro
# schema = 1
# name = "iota_broadcasting_shape_float32_4_8_1_1_dimension_1"
# origin = "jax harness iota_broadcasting_shape_float32_4_8_1_1_dimension_1"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "30cef79b21da4e680e66b177d62904126851d2e1b85a6d6eaeaf395d33c92461"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""iota_broadcasting_shape_float32_4_8_1_1_dimension_1 (jax harness iota_broadcasting_shape_float32_4_8_1_1_dimension_1): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def inputs():
    return []


def repro():
    a = lax.broadcasted_iota(f32, (4, 8, 1, 1), 1)  # f32[4,8,1,1]
    return a


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
