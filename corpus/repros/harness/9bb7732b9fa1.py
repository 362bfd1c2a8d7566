# /// jace-repro
# schema = 1
# name = "iota_2x32_shape_shape_3_"
# origin = "jax harness iota_2x32_shape_shape_3_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "9bb7732b9fa18558f2ca7db4b436a94c63c0670746dbfc751e46dd0b8c31e4d5"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""iota_2x32_shape_shape_3_ (jax harness iota_2x32_shape_shape_3_): written by jace-repro, needs only jax and numpy."""

import jax
from jax._src.prng import iota_2x32_shape_p


def inputs():
    return []


def repro():
    a, b = iota_2x32_shape_p.bind(shape=(3,))  # u32[3], u32[3]
    # result[0], result[1]
    return a, b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
