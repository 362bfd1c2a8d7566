# /// jace-repro
# schema = 1
# name = "iota_2x32_shape_shape_5_7_4_"
# origin = "jax harness iota_2x32_shape_shape_5_7_4_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "813ac19a133785b3c4adf9a4727f3c55d0841de1b21155a3741fcb0458d367e6"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""iota_2x32_shape_shape_5_7_4_ (jax harness iota_2x32_shape_shape_5_7_4_): written by jace-repro, needs only jax and numpy."""

import jax
from jax._src.prng import iota_2x32_shape_p


def inputs():
    return []


def repro():
    a, b = iota_2x32_shape_p.bind(shape=(5, 7, 4))  # u32[5,7,4], u32[5,7,4]
    # result[0], result[1]
    return a, b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
