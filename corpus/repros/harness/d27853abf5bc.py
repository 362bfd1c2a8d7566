# /// jace-repro
# schema = 1
# name = "reduce_precision_in_float16_out_float32_"
# origin = "jax harness reduce_precision_in_float16_out_float32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d27853abf5bc532e3eb2473f4c72ce04d14b7212704f65d2b2d409f005d67c33"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_precision_in_float16_out_float32_ (jax harness reduce_precision_in_float16_out_float32_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.float16(-0.5566),  # a = dyn_args[0]: f16[]
    ]


def repro(a):
    b = lax.reduce_precision_p.bind(a, exponent_bits=8, mantissa_bits=23)  # f16[]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
