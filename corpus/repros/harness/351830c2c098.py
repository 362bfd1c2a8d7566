# /// jace-repro
# schema = 1
# name = "svd_shape_float32_2_2_fullmatrices_True_computeuv_True"
# origin = "jax harness svd_shape_float32_2_2_fullmatrices_True_computeuv_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "351830c2c09863c85448a14cde69abd071fa254cdb5ffc270b5ccba879b2bdda"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""svd_shape_float32_2_2_fullmatrices_True_computeuv_True (jax harness svd_shape_float32_2_2_fullmatrices_True_computeuv_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([[-5.7365727, 4.499305], [0.7081403, -2.55038]], np.float32),  # a = dyn_args[0]: f32[2,2]
    ]


def repro(a):
    b, c, d = primitives.svd_p.bind(  # f32[2], f32[2,2], f32[2,2]
        a, compute_uv=True, full_matrices=True, subset_by_index=None
    )
    # result[0], result[1], result[2]
    return b, c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
