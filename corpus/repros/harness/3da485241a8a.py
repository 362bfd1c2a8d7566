# /// jace-repro
# schema = 1
# name = "tridiagonal_solve_shape_float32_3_"
# origin = "jax harness tridiagonal_solve_shape_float32_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "3da485241a8af47aed32ca99adc413965759983727f436d9e0484589ca0fc33a"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""tridiagonal_solve_shape_float32_3_ (jax harness tridiagonal_solve_shape_float32_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([0.0, 2.0, 3.0], np.float32),  # a = dyn_args[0]: f32[3]
        np.array([1.0, 1.0, 1.0], np.float32),  # b = dyn_args[1]: f32[3]
        np.array([1.0, 2.0, 0.0], np.float32),  # c = dyn_args[2]: f32[3]
        np.array([[1.0], [1.0], [1.0]], np.float32),  # d = dyn_args[3]: f32[3,1]
    ]


def repro(a, b, c, d):
    e = primitives.tridiagonal_solve_p.bind(a, b, c, d, perturb_singular=False)  # f32[3,1]
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
