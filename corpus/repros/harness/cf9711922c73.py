# /// jace-repro
# schema = 1
# name = "random_gamma_shape_float32_"
# origin = "jax harness random_gamma_shape_float32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "cf9711922c73c67fd28e1cb62e18998284022b41a997b9bc350317ed8cc2d30e"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""random_gamma_shape_float32_ (jax harness random_gamma_shape_float32_): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_gamma")
def gamma(a, b):
    c = primitives.random_gamma_p.bind(a, b, log_space=False)  # f32[]
    return c


@jit("<lambda>")
def lambda_(a):
    b = primitives.random_seed_p.bind(np.int32(42), impl=threefry_prng_impl)  # key<fry>[]
    c = gamma(b, a)  # f32[]
    return c


def inputs():
    return [
        np.float32(2.9875464),  # a = dyn_args[0]: f32[]
    ]


def repro(a):
    b = lambda_(a)  # f32[]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
