# /// jace-repro
# schema = 1
# name = "squeeze_dtypes_inshape_complex64_1_2_dimensions_0_"
# origin = "jax harness squeeze_dtypes_inshape_complex64_1_2_dimensions_0_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4be3984893ae22df80f835e8d13bd54dedd47b1b0b60a75e4f318e90a1ffab8d"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""squeeze_dtypes_inshape_complex64_1_2_dimensions_0_ (jax harness squeeze_dtypes_inshape_complex64_1_2_dimensions_0_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: c64[1,2]
        np.array([[complex(-2.8448708, -1.7873816), complex(-1.9349831, -2.0613973)]], np.complex64),
    ]


def repro(a):
    b = lax.squeeze(a, (0,))  # c64[2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
