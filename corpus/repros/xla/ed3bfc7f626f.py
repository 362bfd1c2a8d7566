# /// jace-repro
# schema = 1
# name = "top_k_bfloat16"
# origin = "tests/jace/test_ordering.py"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "ed3bfc7f626f"
# cpu = "amx-bf16"
# fingerprint = "6d4bb2ee95d223fa6ab389d48533c62b8a4e78c62f87545723e7796e06a95590"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""top_k_bfloat16 (tests/jace/test_ordering.py): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([0.0, 9e-41], jnp.bfloat16),  # a: bf16[2]
    ]


def repro(a):
    _, b = lax.top_k(a, 2)  # bf16[2], i32[2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
