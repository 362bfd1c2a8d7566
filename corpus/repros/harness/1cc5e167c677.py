# /// jace-repro
# schema = 1
# name = "regularized_incomplete_beta__float16"
# origin = "jax harness regularized_incomplete_beta__float16"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1cc5e167c677c26089ace91d4f0b28237953ca97facfcc7a289c6ed5c4eb6664"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""regularized_incomplete_beta__float16 (jax harness regularized_incomplete_beta__float16): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-1.6, -1.4, -1.0, 0.0, 0.1, 0.3, 1.0, 1.4, 1.6], np.float16),  # a = dyn_args[0]: f16[9]
        np.array([-1.6, 1.4, 1.0, 0.0, 0.2, 0.1, 1.0, 1.4, -1.6], np.float16),  # b = dyn_args[1]: f16[9]
        np.array([1.0, -1.0, 2.0, 1.0, 0.3, 0.3, -1.0, 2.4, 1.6], np.float16),  # c = dyn_args[2]: f16[9]
    ]


def repro(a, b, c):
    d = lax.betainc(a, b, c)  # f16[9]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
