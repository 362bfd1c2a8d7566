# /// jace-repro
# schema = 1
# name = "float4_to_int8"
# origin = "tests of small dtypes"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "774e2e0717ad"
# fingerprint = "a9154de56014f679d3aa24344cf369376d90d9fdffe197a975d59eb5cc4a06ca"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""float4_to_int8: written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

i8 = np.dtype("int8")


def inputs():
    return [
        np.array([6.0], jnp.float4_e2m1fn),  # a: f4_e2m1fn[1]
    ]


def repro(a):
    b = lax.convert_element_type(a, i8)  # i8[1]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
