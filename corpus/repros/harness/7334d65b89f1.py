# /// jace-repro
# schema = 1
# name = "gather_dtypes_shape_int32_10_axis_0_enable_xla_True"
# origin = "jax harness gather_dtypes_shape_int32_10_axis_0_enable_xla_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7334d65b89f15aa5fad4513298cc791a7a73b21aaf038dfee1b8bbb64b6df91c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""gather_dtypes_shape_int32_10_axis_0_enable_xla_True (jax harness gather_dtypes_shape_int32_10_axis_0_enable_xla_True): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jit("_take")
def take(a, b):
    c = lax.lt(b, np.int32(0))  # bool[]
    d = lax.add(b, np.int32(10))  # i32[]
    e = where(c, d, b)  # i32[]
    f = lax.broadcast_in_dim(e, (1,), ())  # i32[1]
    g = lax.gather_p.bind(  # i32[]
        a,
        f,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=-2147483648,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        slice_sizes=(1,),
        unique_indices=False,
    )
    return g


def inputs():
    return [
        np.array([0, 0, -1, 0, 0, -1, 1, 5, 0, -5], np.int32),  # a = dyn_args[0]: i32[10]
        np.int32(2),  # b = dyn_args[1]: i32[]
    ]


def repro(a, b):
    c = take(a, b)  # i32[]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
