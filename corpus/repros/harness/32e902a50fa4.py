# /// jace-repro
# schema = 1
# name = "random_split_"
# origin = "jax harness random_split_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "32e902a50fa4ebe0c782cdfc02659a90bebd5bd0ab28d805b36a0b687e7cdef5"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_split_ (jax harness random_split_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax._src.prng import random_unwrap_p
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl


@jax.jit
def wrap_and_split():
    a = primitives.random_seed_p.bind(np.int32(42), impl=threefry_prng_impl)  # key<fry>[]
    b = primitives.random_split_p.bind(a, shape=(2,))  # key<fry>[2]
    c = random_unwrap_p.bind(b)  # u32[2,2]
    return c


def inputs():
    return []


def repro():
    a = wrap_and_split()  # u32[2,2]
    return a


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
