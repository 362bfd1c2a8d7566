# /// jace-repro
# schema = 1
# name = "conj_kwargs_operand_float32_3_4_kwargs_input_dtype_:_class_n"
# origin = "jax harness conj_kwargs_operand_float32_3_4_kwargs_input_dtype_:_class_numpy_float32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8b3bf378e2f0ded6c957e1023f05effe8f3da617699b0ca7b8c8774bf21e58cd"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""conj_kwargs_operand_float32_3_4_kwargs_input_dtype_:_class_n (jax harness conj_kwargs_operand_float32_3_4_kwargs_input_dtype_:_class_numpy_float32_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        # a = dyn_args[0]: f32[3,4]
        np.array(
            [
                [0.5093013, 3.861171, 3.1949637, -2.1177983],
                [0.14749788, 4.1700816, 0.45741767, 2.9595418],
                [-2.3879642, 4.7521005, 2.0731146, 1.6617926],
            ],
            np.float32,
        ),
    ]


def repro(a):
    b = lax.conj_p.bind(a, _input_dtype=np.float32)  # c64[3,4]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
