# /// jace-repro
# schema = 1
# name = "gt_dtypes_lhs_complex64_rhs_complex64_"
# origin = "jax harness gt_dtypes_lhs_complex64_rhs_complex64_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "68f064668a27c88ecf5924a398bbe4ed8d61e8b55c1d8b1cbe91e3b0be6dff81"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""gt_dtypes_lhs_complex64_rhs_complex64_ (jax harness gt_dtypes_lhs_complex64_rhs_complex64_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.complex64(complex(1.3953418, 7.068162)),  # a = dyn_args[0]: c64[]
        np.complex64(complex(-1.5638206, 0.7389964)),  # b = dyn_args[1]: c64[]
    ]


def repro(a, b):
    c = lax.real(a)  # f32[]
    d = lax.real(b)  # f32[]
    e = lax.eq(c, d)  # bool[]
    f = lax.imag(a)  # f32[]
    g = lax.imag(b)  # f32[]
    h = lax.gt(f, g)  # bool[]
    i = lax.real(a)  # f32[]
    j = lax.real(b)  # f32[]
    k = lax.gt(i, j)  # bool[]
    l = lax.select_n(e, k, h)  # bool[]
    return l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
