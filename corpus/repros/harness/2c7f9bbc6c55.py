# /// jace-repro
# schema = 1
# name = "reduce_precision_in_float32_out_float32_"
# origin = "jax harness reduce_precision_in_float32_out_float32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2c7f9bbc6c55015c5dc06c27045bef63d077b9335b0238bf0dd7b39d3ef3e432"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_precision_in_float32_out_float32_ (jax harness reduce_precision_in_float32_out_float32_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(-1.7256738),  # a = dyn_args[0]: f32[]
    ]


def repro(a):
    b = lax.reduce_precision_p.bind(a, exponent_bits=8, mantissa_bits=23)  # f32[]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
