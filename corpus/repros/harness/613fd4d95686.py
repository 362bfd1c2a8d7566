# /// jace-repro
# schema = 1
# name = "reshape_dtypes_shape_complex64_2_3_newsizes_3_2_dimensions_0"
# origin = "jax harness reshape_dtypes_shape_complex64_2_3_newsizes_3_2_dimensions_0_1_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "613fd4d956866e062228dd87db3babb83f98298af0b7cb22777f5cf856a3ac8b"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reshape_dtypes_shape_complex64_2_3_newsizes_3_2_dimensions_0 (jax harness reshape_dtypes_shape_complex64_2_3_newsizes_3_2_dimensions_0_1_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: c64[2,3]
        np.array(
            [
                [
                    complex(-1.9329157, -2.3252249),
                    complex(2.1234396, -3.2454731),
                    complex(-2.29466, 1.0315925),
                ],
                [
                    complex(0.54392314, 1.1841758),
                    complex(1.2492111, 7.150514),
                    complex(-0.48956308, -4.7220316),
                ],
            ],
            np.complex64,
        ),
    ]


def repro(a):
    b = lax.reshape(a, (3, 2))  # c64[3,2]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
