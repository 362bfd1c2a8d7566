# /// jace-repro
# schema = 1
# name = "slice_dtypes_a_complex128_3_start_indices_1_limit_indices_2_"
# origin = "jax harness slice_dtypes_a_complex128_3_start_indices_1_limit_indices_2_strides_None"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "b5bb3e665a004e8b667190b377df1ba3b8de121f4c61d32def08256557a923e2"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""slice_dtypes_a_complex128_3_start_indices_1_limit_indices_2_ (jax harness slice_dtypes_a_complex128_3_start_indices_1_limit_indices_2_strides_None): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: c128[3]
        np.array(
            [
                complex(0.9276266699094877, -3.2718426298929044),
                complex(-1.8016820916580454, 4.034777448831824),
                complex(4.029857292604471, -2.6747556559974113),
            ],
            np.complex128,
        ),
    ]


def repro(a):
    b = lax.slice(a, (1,), (2,))  # c128[1]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
