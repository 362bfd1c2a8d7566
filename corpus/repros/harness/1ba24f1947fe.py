# /// jace-repro
# schema = 1
# name = "conj_dtypes_operand_float64_3_4_kwargs_"
# origin = "jax harness conj_dtypes_operand_float64_3_4_kwargs_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1ba24f1947fe336ac80030d02fdc2c54a275fbaae5452c5cc12241af85a2bfe6"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""conj_dtypes_operand_float64_3_4_kwargs_ (jax harness conj_dtypes_operand_float64_3_4_kwargs_): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: f64[3,4]
        np.array(
            [
                [-1.6962658468971834, 0.7074800605092614, 2.0292966157928536, -3.4032669119806735],
                [-4.7250723277816835, 2.1829641995532003, -2.903027905334483, -0.14466822575540345],
                [-0.7068648387213685, 3.190641709007571, -2.2978920578995448, 3.4154872400520393],
            ],
            np.float64,
        ),
    ]


def repro(a):
    b = lax.conj_p.bind(a)  # c128[3,4]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
