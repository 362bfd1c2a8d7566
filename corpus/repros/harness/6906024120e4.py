# /// jace-repro
# schema = 1
# name = "complex_dtypes_lhs_float64_3_4_rhs_float64_3_4_"
# origin = "jax harness complex_dtypes_lhs_float64_3_4_rhs_float64_3_4_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6906024120e44f2914fe91a4871c5ca7c47e009a34123adea94af8ba9f68ee02"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""complex_dtypes_lhs_float64_3_4_rhs_float64_3_4_ (jax harness complex_dtypes_lhs_float64_3_4_rhs_float64_3_4_): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: f64[3,4]
        np.array(
            [
                [-0.2080781234090438, 2.129847038501359, 3.9670586829785712, 0.5856760749723238],
                [0.016547507812390942, 3.1278735720633635, -2.291580710567449, 3.191539089343541],
                [-0.9151693705842004, 3.850554523267327, -1.065179253324152, -1.7620428531151229],
            ],
            np.float64,
        ),
        # b = dyn_args[1]: f64[3,4]
        np.array(
            [
                [-0.9388724596019666, -3.171876392040385, 4.381963995604739, 2.2532029783742935],
                [-1.5511881064715516, -0.7469312162715582, -4.34116372507868, 1.5539711726659962],
                [-2.1518754640403093, -1.8209001198947787, -0.029529321580991606, -1.0179071696358182],
            ],
            np.float64,
        ),
    ]


def repro(a, b):
    c = lax.complex(a, b)  # c128[3,4]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
