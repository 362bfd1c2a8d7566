# /// jace-repro
# schema = 1
# name = "le_dtypes_lhs_complex64_rhs_complex64_"
# origin = "jax harness le_dtypes_lhs_complex64_rhs_complex64_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "404d5ea4fbcc460022a49f7ff23e4e23212af2643dee6975433cd0733bedb56c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""le_dtypes_lhs_complex64_rhs_complex64_ (jax harness le_dtypes_lhs_complex64_rhs_complex64_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.complex64(complex(0.6114602, -2.5683193)),  # a = dyn_args[0]: c64[]
        np.complex64(complex(-6.2184696, 2.1943343)),  # b = dyn_args[1]: c64[]
    ]


def repro(a, b):
    c = lax.real(a)  # f32[]
    d = lax.real(b)  # f32[]
    e = lax.eq(c, d)  # bool[]
    f = lax.imag(a)  # f32[]
    g = lax.imag(b)  # f32[]
    h = lax.le(f, g)  # bool[]
    i = lax.real(a)  # f32[]
    j = lax.real(b)  # f32[]
    k = lax.le(i, j)  # bool[]
    l = lax.select_n(e, k, h)  # bool[]
    return l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
