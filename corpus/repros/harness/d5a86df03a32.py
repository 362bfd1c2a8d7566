# /// jace-repro
# schema = 1
# name = "lt_dtypes_lhs_complex64_rhs_complex64_"
# origin = "jax harness lt_dtypes_lhs_complex64_rhs_complex64_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d5a86df03a32d52e180c01fdeee56745822daa53985db4553306a2d77e69c53d"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""lt_dtypes_lhs_complex64_rhs_complex64_ (jax harness lt_dtypes_lhs_complex64_rhs_complex64_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.complex64(complex(-1.2512841, -4.014774)),  # a = dyn_args[0]: c64[]
        np.complex64(complex(2.777699, 0.74474543)),  # b = dyn_args[1]: c64[]
    ]


def repro(a, b):
    c = lax.real(a)  # f32[]
    d = lax.real(b)  # f32[]
    e = lax.eq(c, d)  # bool[]
    f = lax.imag(a)  # f32[]
    g = lax.imag(b)  # f32[]
    h = lax.lt(f, g)  # bool[]
    i = lax.real(a)  # f32[]
    j = lax.real(b)  # f32[]
    k = lax.lt(i, j)  # bool[]
    l = lax.select_n(e, k, h)  # bool[]
    return l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
