# /// jace-repro
# schema = 1
# name = "composed/20261124000002/x64"
# origin = "jace-repro fuzz: composed/20261124000002/x64"
# pipeline = "canonical/simplify+xform:MapUnroll"
# outcome = "pass-error"
# signature = "dd29ce70cba4"
# fingerprint = "5375da294cbacfe89e8a037f31f0825f88c9f0ef9107bb17a280bbce4b5fb10e"
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
"""composed/20261124000002/x64 (x64): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.array([[[0.0]]], np.float32),  # a: f32[1,1,1]
    ]


def repro(a):
    b = lax.rev(a, (1,))  # f32[1,1,1]  composed-20261124000002-x64.py:94
    c = lax.broadcast_in_dim(np.bool_(False), (1, 1, 1), ())  # bool[1,1,1]  composed-20261124000002-x64.py:95
    d = lax.broadcast_in_dim(np.float32(0.0), (1, 1, 1), ())  # f32[1,1,1]  composed-20261124000002-x64.py:96
    e = lax.select_n(c, d, b)  # f32[1,1,1]  composed-20261124000002-x64.py:64
    return e


FINDING = """\
Above is what XLA computes.
jace-repro found a pass-error on pipeline canonical/simplify+xform:MapUnroll. A pass of the pipeline
(a DaCe transformation, say) raised an exception.
  PassError: pass 'MapUnroll' failed: InvalidSDFGNodeError: Dangling in-connector IN_t0001 (at state s_1, node m_9[i0k3=0, i1k3=0, i2k3=0])
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
