# /// jace-repro
# schema = 1
# name = "imag_dtypes_shape_complex128_2_3_"
# origin = "jax harness imag_dtypes_shape_complex128_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "c951e416160ece8f833ef42adfacdcec2f030ab653e1255c2aa8b36c9e93e610"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""imag_dtypes_shape_complex128_2_3_ (jax harness imag_dtypes_shape_complex128_2_3_): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: c128[2,3]
        np.array(
            [
                [
                    complex(-2.172827771287553, -1.9182617074212178),
                    complex(4.885343993014903, -3.8156928920997197),
                    complex(-0.17577538471438695, -1.5097926276280074),
                ],
                [
                    complex(-1.5446704190010512, -1.0282586686074968),
                    complex(1.661357439474032, 5.513684417732829),
                    complex(0.32288299758454864, -2.3381592787520185),
                ],
            ],
            np.complex128,
        ),
    ]


def repro(a):
    b = lax.imag(a)  # f64[2,3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
