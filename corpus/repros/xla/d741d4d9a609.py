# /// jace-repro
# schema = 1
# name = "mutated/9200000440"
# origin = "jace-repro fuzz: mutated/9200000440 of slice_of_slice: in scan"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "d741d4d9a609"
# fingerprint = "ab399265d94d677c0b1b6ffc612422fcfaeeae07b679f209d163985f4e937ac3"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""mutated/9200000440 (9200000440 of slice_of_slice: in scan): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax


def body(a, b, c, carry, rows):
    d = lax.dynamic_slice(  # i32[2,1]  00015-dd675ec14506-slice_of_slice.py:26
        a, (b, np.int32(0)), (2, 1), allow_negative_indices=False
    )
    e = lax.dynamic_slice(  # i32[1,1]  00015-dd675ec14506-slice_of_slice.py:27
        d, (c, np.int32(0)), (1, 1), allow_negative_indices=False
    )
    return None, e


def inputs():
    return [
        np.array([[1], [2], [3]], np.int32),  # a: i32[3,1]
        np.int32(2),  # b: i32[]
        np.int32(0),  # c: i32[]
    ]


def repro(a, b, c):
    _, d = lax.scan(functools.partial(body, a, b, c), None, None, length=2)  # i32[2,1,1]
    return d


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0[0, 0, 0]: expected 2, got 3
  output 0[1, 0, 0]: expected 2, got 3
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
