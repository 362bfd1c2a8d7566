# /// jace-repro
# schema = 1
# name = "zeta_negative"
# origin = "accuracy bench"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "a0ecd18f1e19"
# fingerprint = "e8463e7280cd17e06c89a40fd277687d927de279f7c4447651a9820958a56908"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""zeta_negative: written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def inputs():
    return [
        np.array([-15.5], np.float32),  # a: f32[1]
    ]


def repro(a):
    b = lax.zeta(np.float32(2.0), a)  # f32[1]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
