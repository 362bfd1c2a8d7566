# /// jace-repro
# schema = 1
# name = "sort_int2"
# origin = "tests of small dtypes"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "890e893a3bc5"
# fingerprint = "9e5087bfbf79a9ef78ea271edcaf93c4e7d7857f0e07582a3814f347612d76ad"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sort_int2: written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([1, 0, -1, -2, 1, 0, -1, -2], jnp.int2),  # a: i2[8]
    ]


def repro(a):
    b = lax.sort(a)  # i2[8]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
