# /// jace-repro
# schema = 1
# name = "regularized_incomplete_beta__float32"
# origin = "jax harness regularized_incomplete_beta__float32"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7e84e082819b1362ef381a538be02540f5bbe989c79a02103fd3c6892cfea871"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""regularized_incomplete_beta__float32 (jax harness regularized_incomplete_beta__float32): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-1.6, -1.4, -1.0, 0.0, 0.1, 0.3, 1.0, 1.4, 1.6], np.float32),  # a = dyn_args[0]: f32[9]
        np.array([-1.6, 1.4, 1.0, 0.0, 0.2, 0.1, 1.0, 1.4, -1.6], np.float32),  # b = dyn_args[1]: f32[9]
        np.array([1.0, -1.0, 2.0, 1.0, 0.3, 0.3, -1.0, 2.4, 1.6], np.float32),  # c = dyn_args[2]: f32[9]
    ]


def repro(a, b, c):
    d = lax.betainc(a, b, c)  # f32[9]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
