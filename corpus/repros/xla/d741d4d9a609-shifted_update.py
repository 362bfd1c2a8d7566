# /// jace-repro
# schema = 1
# name = "composed/128231330/x64"
# origin = "operation composed/128231330/x64"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "d741d4d9a609"
# fingerprint = "81554ec11b053ecc24dba4b110a355fa60568cb587f362fe8ea3428dec6abba1"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""composed/128231330/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
i32 = np.dtype("int32")
i64 = np.dtype("int64")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def body(a, b):
    c = lax.slice(b, (0,), (2,))  # i64[2]
    d = lax.scatter_add(  # i64[3]
        b,
        a,
        c,
        lax.ScatterDimensionNumbers(
            update_window_dims=(0,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,)
        ),
        indices_are_sorted=True,
        unique_indices=True,
        mode="drop",
    )
    return d


def inputs():
    return [
        np.array([1], np.int32),  # a: i32[1]
        np.array([1, 1, 1], np.int64),  # b: i64[3]
    ]


def repro(a, b):
    (c,) = lax.scan_p.bind(  # i64[1,3]
        a,
        b,
        jaxpr=J(body, S((1,), i32), S((3,), i64)),
        length=1,
        num_carry=0,
        num_consts=2,
        reverse=False,
        unroll=1,
    )
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 2]: expected 2, got 3
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
