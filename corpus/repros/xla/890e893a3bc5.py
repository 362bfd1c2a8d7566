# /// jace-repro
# schema = 1
# name = "sort_int2"
# origin = "tests of small dtypes"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "890e893a3bc5"
# fingerprint = "b18a73f61e8b0bcc66e45bbb0a4bdfe805334296df95cfb14fb05a4dc6c4c822"
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
        np.array([0, -1], jnp.int2),  # a: i2[2]
    ]


def repro(a):
    (b,) = lax.sort_p.bind(a, dimension=0, is_stable=True, num_keys=1)  # i2[2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
