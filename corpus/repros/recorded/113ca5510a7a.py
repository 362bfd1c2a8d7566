# /// jace-repro
# schema = 1
# name = "projection_l2_ball"
# origin = "projection.py:269 (projection_l2_ball)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "113ca5510a7aae7ab0e673361116569f5a172dc0a48c0985ab85c3ed2ecb2b7b"
# outputs_sha256 = "84c7dac2491da0dfa83b9b6c8f2d9550d5c01699267f6bcaa79f3e10e317c592"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""projection_l2_ball (projection.py:269): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def branch(a, b):
    c = lax.mul(b, a)  # f32[15]  tree_util.py:86
    return c


def branch_2(a, b):
    return a


def inputs():
    return [
        # a = x: f32[15]
        np.array(
            [
                0.6480646,
                -0.19673006,
                -0.17874637,
                -0.105259776,
                0.6498697,
                -1.0663396,
                -1.5298765,
                -2.4338768,
                1.1986709,
                0.07379336,
                1.5101194,
                -0.008956298,
                -0.74215543,
                0.4779293,
                -0.076588415,
            ],
            np.float32,
        ),
        1.0,  # b = max_value: f32[] weak
    ]


def repro(a, b):
    c = lax.square(a)  # f32[15]  tree_util.py:140
    d = lax.broadcast_in_dim(np.float32(0.0), (15,), ())  # f32[15]  tree_util.py:140
    e = lax.square(d)  # f32[15]  tree_util.py:140
    f = lax.add(c, e)  # f32[15]  tree_util.py:140
    g = lax.reduce_sum(f, axes=(0,))  # f32[]  tree_util.py:134
    h = lax.sqrt(g)  # f32[]  tree_util.py:145
    i = lax.convert_element_type(b, f32)  # f32[]  projection.py:285
    j = lax.div(i, h)  # f32[]  projection.py:285
    k = lax.convert_element_type(b, f32)  # f32[]  projection.py:286
    l = lax.le(h, k)  # bool[]  projection.py:286
    m = lax.convert_element_type(l, i32)  # i32[]  projection.py:286
    (n,) = lax.cond_p.bind(  # f32[15]  projection.py:286
        m, a, j, branches=(J(branch, S((15,), f32), S((), f32)), J(branch_2, S((15,), f32), S((), f32)))
    )
    return n


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
