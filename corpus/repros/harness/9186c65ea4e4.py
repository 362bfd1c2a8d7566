# /// jace-repro
# schema = 1
# name = "imag_dtypes_shape_complex64_2_3_"
# origin = "jax harness imag_dtypes_shape_complex64_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "9186c65ea4e404345c4ee198c4a8e797f4662a824198bb8afd7f271d477e699d"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""imag_dtypes_shape_complex64_2_3_ (jax harness imag_dtypes_shape_complex64_2_3_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: c64[2,3]
        np.array(
            [
                [
                    complex(-2.5078785, 2.268273),
                    complex(0.0039121923, -3.641538),
                    complex(5.4646893, 2.8805377),
                ],
                [
                    complex(2.3623283, -6.1690154),
                    complex(-3.3303769, 4.8172603),
                    complex(-1.4246826, 3.2383416),
                ],
            ],
            np.complex64,
        ),
    ]


def repro(a):
    b = lax.imag(a)  # f32[2,3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
