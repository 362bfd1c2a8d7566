# /// jace-repro
# schema = 1
# name = "population_count_int8"
# origin = "jax harness population_count_int8"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "efd4988b7dc619d852ae06a85bd0440c68b1463db6dc03b5011a54eea3073c25"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""population_count_int8 (jax harness population_count_int8): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-1, -2, 0, 1], np.int8),  # a = dyn_args[0]: i8[4]
    ]


def repro(a):
    b = lax.population_count(a)  # i8[4]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
