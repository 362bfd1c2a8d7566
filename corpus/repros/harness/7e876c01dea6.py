# /// jace-repro
# schema = 1
# name = "top_k_dtypes_inshape_uint32_5_3_k_2"
# origin = "jax harness top_k_dtypes_inshape_uint32_5_3_k_2"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7e876c01dea6691c4bf4e8c94b603991ce72b5897c958b1714da61f63e026b0b"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""top_k_dtypes_inshape_uint32_5_3_k_2 (jax harness top_k_dtypes_inshape_uint32_5_3_k_2): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: u32[5,3]
        np.array([[1, 1, 2], [2, 1, 0], [2, 0, 2], [5, 1, 0], [1, 3, 0]], np.uint32),
    ]


def repro(a):
    b, c = lax.top_k_p.bind(a, axis=1, k=2)  # u32[5,2], i32[5,2]
    # result[0], result[1]
    return b, c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
