# /// jace-repro
# schema = 1
# name = "ge_dtypes_lhs_complex64_rhs_complex64_"
# origin = "jax harness ge_dtypes_lhs_complex64_rhs_complex64_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8acafa6f1fa462b2079cfd415160d0f207ff77083ed939fa1a55083a532b2679"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""ge_dtypes_lhs_complex64_rhs_complex64_ (jax harness ge_dtypes_lhs_complex64_rhs_complex64_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.complex64(complex(-2.7489073, -1.1107305)),  # a = dyn_args[0]: c64[]
        np.complex64(complex(1.4653642, -1.7930588)),  # b = dyn_args[1]: c64[]
    ]


def repro(a, b):
    c = lax.real(a)  # f32[]
    d = lax.real(b)  # f32[]
    e = lax.eq(c, d)  # bool[]
    f = lax.imag(a)  # f32[]
    g = lax.imag(b)  # f32[]
    h = lax.ge(f, g)  # bool[]
    i = lax.real(a)  # f32[]
    j = lax.real(b)  # f32[]
    k = lax.ge(i, j)  # bool[]
    l = lax.select_n(e, k, h)  # bool[]
    return l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
