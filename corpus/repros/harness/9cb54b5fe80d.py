# /// jace-repro
# schema = 1
# name = "pad_inshape_bool_2_3_pads_0_0_0_0_0_0_enable_xla_True"
# origin = "jax harness pad_inshape_bool_2_3_pads_0_0_0_0_0_0_enable_xla_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "9cb54b5fe80dd67f97722dca8a175478631642b76ce21aca7655a75412bbfacb"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""pad_inshape_bool_2_3_pads_0_0_0_0_0_0_enable_xla_True (jax harness pad_inshape_bool_2_3_pads_0_0_0_0_0_0_enable_xla_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[True, True, True], [True, True, True]], np.bool_),  # a = dyn_args[0]: bool[2,3]
        np.bool_(False),  # b = dyn_args[1]: bool[]
    ]


def repro(a, b):
    c = lax.pad(a, b, ((0, 0, 0), (0, 0, 0)))  # bool[2,3]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
