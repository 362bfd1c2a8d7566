# /// jace-repro
# schema = 1
# name = "population_count_int32"
# origin = "jax harness population_count_int32"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1fbaf9e47bb09e34d08cc9f20fb7f57496bf9b53dfd6b0feddf442e7b20847fa"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""population_count_int32 (jax harness population_count_int32): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-1, -2, 0, 1], np.int32),  # a = dyn_args[0]: i32[4]
    ]


def repro(a):
    b = lax.population_count(a)  # i32[4]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
