# /// jace-repro
# schema = 1
# name = "cholesky_shape_float64_1_1_"
# origin = "jax harness cholesky_shape_float64_1_1_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "765eb5640f6f0c8e2d90ea0d18fe8475b6ea0b9296c2f6292503f961e8a22ded"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cholesky_shape_float64_1_1_ (jax harness cholesky_shape_float64_1_1_): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        np.array([[20.714553205381453]], np.float64),  # a = dyn_args[0]: f64[1,1]
    ]


def repro(a):
    b = primitives.cholesky_p.bind(a)  # f64[1,1]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
