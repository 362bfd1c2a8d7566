# /// jace-repro
# schema = 1
# name = "qr_multi_array_shape_float64_1_1_fullmatrices_False"
# origin = "jax harness qr_multi_array_shape_float64_1_1_fullmatrices_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e43166712860e677493fc52788f1c07870a75adba878d0b70c3bc51757c491ae"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""qr_multi_array_shape_float64_1_1_fullmatrices_False (jax harness qr_multi_array_shape_float64_1_1_fullmatrices_False): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([[4.080775801996836]], np.float64),  # a = dyn_args[0]: f64[1,1]
    ]


def repro(a):
    b, c = primitives.qr_p.bind(a, full_matrices=False, pivoting=False, use_magma=None)  # f64[1,1], f64[1,1]
    # result[0], result[1]
    return b, c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
