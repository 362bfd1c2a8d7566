# /// jace-repro
# schema = 1
# name = "slice_of_slice"
# origin = "jax issue 40849"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "dd675ec14506"
# fingerprint = "55e3bc1f11fe2f42e6c3fc24c6ac44af8b161a975d5239e117bb6141a9945e44"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""slice_of_slice (jax issue 40849): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[-1], [-2], [1]], np.int32),  # a: i32[3,1]
        np.int32(2),  # b: i32[]
        np.int32(0),  # c: i32[]
    ]


def repro(a, b, c):
    d = lax.dynamic_slice(a, (b, np.int32(0)), (2, 1), allow_negative_indices=False)  # i32[2,1]
    e = lax.dynamic_slice(d, (c, np.int32(0)), (1, 1), allow_negative_indices=False)  # i32[1,1]
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
