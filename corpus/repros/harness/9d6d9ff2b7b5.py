# /// jace-repro
# schema = 1
# name = "lu_shape_float64_3_5_"
# origin = "jax harness lu_shape_float64_3_5_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "9d6d9ff2b7b5e425b8a73e776df3ae7d671772a518b90efbcfcc01a05cfd03b1"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""lu_shape_float64_3_5_ (jax harness lu_shape_float64_3_5_): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax.extend.core import primitives


def inputs():
    return [
        # a = dyn_args[0]: f64[3,5]
        np.array(
            [
                [
                    -1.1424578770573925,
                    -3.855127672594064,
                    -8.272716850423805,
                    6.6173328277553,
                    0.6433089499482506,
                ],
                [
                    -1.6509266978832953,
                    -5.110475287453572,
                    4.214990269981045,
                    -1.4793608930404547,
                    1.6983407061189446,
                ],
                [
                    -6.615279509646202,
                    -2.9721122042219155,
                    -0.11005588485386061,
                    -1.4567719475131786,
                    0.4533552749336336,
                ],
            ],
            np.float64,
        ),
    ]


def repro(a):
    b, c, d = primitives.lu_p.bind(a)  # f64[3,5], i32[3], i32[3]
    # result[0], result[1], result[2]
    return b, c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
