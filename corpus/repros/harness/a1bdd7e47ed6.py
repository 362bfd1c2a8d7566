# /// jace-repro
# schema = 1
# name = "top_k_dtypes_inshape_uint16_5_3_k_2"
# origin = "jax harness top_k_dtypes_inshape_uint16_5_3_k_2"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "a1bdd7e47ed6fe5afd6a4667112cc5329892e9dcbddda76af4176f93a4300324"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""top_k_dtypes_inshape_uint16_5_3_k_2 (jax harness top_k_dtypes_inshape_uint16_5_3_k_2): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: u16[5,3]
        np.array([[0, 3, 4], [3, 3, 1], [0, 0, 5], [0, 4, 5], [0, 0, 2]], np.uint16),
    ]


def repro(a):
    b, c = lax.top_k_p.bind(a, axis=1, k=2)  # u16[5,2], i32[5,2]
    # result[0], result[1]
    return b, c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
