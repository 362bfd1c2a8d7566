# /// jace-repro
# schema = 1
# name = "scatter_without_indices"
# origin = "hypothesis, tests/jace/test_indexing.py"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "1a31e40079a9"
# fingerprint = "87572c3cb56fe5469e7a38a7fc29acda6f7aa47096a991b3a452e3486ed62f71"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""scatter_without_indices: written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([0.0, 0.0], np.float32),  # a: f32[2]
        np.zeros((2, 0), np.int32),  # b: i32[2,0]
        np.array([1.0, 1.0], np.float32),  # c: f32[2]
    ]


def repro(a, b, c):
    d = lax.scatter(  # f32[2]
        a,
        b,
        c,
        lax.ScatterDimensionNumbers(
            update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=()
        ),
        mode="clip",
    )
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
