# /// jace-repro
# schema = 1
# name = "rng_bit_generator_key_dtype_class_numpy_uint32_shape_uint32_"
# origin = "jax harness rng_bit_generator_key_dtype_class_numpy_uint32_shape_uint32_5_7_algorithm_RandomAlgorithm_RNG_THREE_FRY:_1_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e36a7320a8712ada423198c7f39b6fbe4353c39c6e1f83269d9d42ee0e5d875a"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""rng_bit_generator_key_dtype_class_numpy_uint32_shape_uint32_ (jax harness rng_bit_generator_key_dtype_class_numpy_uint32_shape_uint32_5_7_algorithm_RandomAlgorithm_RNG_THREE_FRY:_1_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

u32 = np.dtype("uint32")


def inputs():
    return [
        np.array([1, 0, 0, 2], np.uint32),  # a = dyn_args[0]: u32[4]
    ]


def repro(a):
    b, c = lax.rng_bit_generator_p.bind(  # u32[4], u32[5,7]
        a, algorithm=lax.RandomAlgorithm.RNG_THREE_FRY, dtype=u32, out_sharding=None, shape=(5, 7)
    )
    # result[0], result[1]
    return b, c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
