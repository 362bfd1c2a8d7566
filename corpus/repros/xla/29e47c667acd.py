# /// jace-repro
# schema = 1
# name = "look_up"
# origin = "far_index.py:8 (look_up)"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "29e47c667acd"
# fingerprint = "3074c4894c0d242bbc227386aafe76c62587c074cdb089f1ad30f1f5ff8f5112"
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
"""look_up (far_index.py:8): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([0.0, 0.0], np.float32),  # a: f32[2]
        np.array([4294967297], np.int64),  # b: i64[1]
    ]


def repro(a, b):
    c = lax.gather(  # f32[]  far_index.py:10
        a,
        b,
        lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,)),
        (1,),
        mode="fill",
        fill_value=np.nan,
    )
    return c


FINDING = """\
Above is what XLA computes, and it is wrong.
jace-repro found a reference-mismatch on pipeline fused. XLA's outputs are wrong: DaCe agrees with a
higher-precision evaluation, XLA does not.
  output 0: expected nan, got 0.0
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
