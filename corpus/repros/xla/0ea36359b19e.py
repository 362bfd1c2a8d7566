# /// jace-repro
# schema = 1
# name = "conv_complex_preferred"
# origin = "JAX's harness conv_general_dilated_preferred, complex64 with preferred complex128"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "0ea36359b19e"
# fingerprint = "6444b31087716a5a29deaef3c84d1342c23b5ac8970e898b8c12cea87ee4f292"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""conv_complex_preferred (JAX's harness conv_general_dilated_preferred): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax

c128 = np.dtype("complex128")


def inputs():
    return [
        # a: c64[1,1,2,2]
        np.array(
            [[[[complex(1.0, 0.0), complex(1.0, 0.0)], [complex(1.0, 0.0), complex(1.0, 0.0)]]]], np.complex64
        ),
        # b: c64[1,1,1,2]
        np.array([[[[complex(-0.6809904, 0.58469844), complex(-0.5431091, -2.0344317)]]]], np.complex64),
    ]


def repro(a, b):
    c = lax.conv_general_dilated(a, b, (1, 1), ((0, 0), (0, 0)), preferred_element_type=c128)  # c128[1,1,2,1]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
