# /// jace-repro
# schema = 1
# name = "stop_gradient_bool_20_20_"
# origin = "jax harness stop_gradient_bool_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6bd8109ae198b65d68884e5e6f3559224f0677f65760b463e10f08ad4c45fcf7"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""stop_gradient_bool_20_20_ (jax harness stop_gradient_bool_20_20_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.full((20, 20), True, np.bool_),  # a = dyn_args[0]: bool[20,20]
    ]


def repro(a):
    b = lax.stop_gradient_p.bind(a)  # bool[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
