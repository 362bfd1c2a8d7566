# /// jace-repro
# schema = 1
# name = "real_dtypes_shape_complex128_2_3_"
# origin = "jax harness real_dtypes_shape_complex128_2_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "54ad65d1fedfdaa913b86e52cc97844fa51994891a8535fadf1b029304659860"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""real_dtypes_shape_complex128_2_3_ (jax harness real_dtypes_shape_complex128_2_3_): written by jace-repro, needs only jax and numpy."""

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
                    complex(5.311516613205583, 0.37922521168056594),
                    complex(2.2297541474325056, 1.3835505713528704),
                    complex(-4.265692020178716, 0.16424125699158743),
                ],
                [
                    complex(-4.9864941626061, -5.452814342213865),
                    complex(-1.554286453425464, 0.714207165845822),
                    complex(0.5861660766925789, 0.7512054009067324),
                ],
            ],
            np.complex128,
        ),
    ]


def repro(a):
    b = lax.real(a)  # f64[2,3]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
