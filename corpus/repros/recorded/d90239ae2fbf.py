# /// jace-repro
# schema = 1
# name = "scan"
# origin = "util.py:485 (scan)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d90239ae2fbfc8953900c272d376589d59dae039a73e9e19eab3d64459912436"
# outputs_sha256 = "bba0cb312d532ebd8bbab2f14411fb33c815e9d0b7c47f489d578abb5fdae417"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""scan (util.py:485): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives


def body(carry, rows):
    a, b, c = carry
    d, e, f, g, h = rows
    i = primitives.add_jaxvals_p.bind(a, e)  # f32[]  scan.py:339
    j = primitives.add_jaxvals_p.bind(c, f)  # f32[]  scan.py:339
    k = primitives.add_jaxvals_p.bind(j, g)  # f32[]  scan.py:339
    l = lax.broadcast_in_dim(k, (1,), ())  # f32[1]  util.py:316
    m = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  util.py:316
    n = lax.dynamic_update_slice_p.bind(m, l, h)  # f32[6]  util.py:316
    o = primitives.add_jaxvals_p.bind(b, n)  # f32[6]  util.py:316
    p = lax.mul(np.float32(0.9), d)  # f32[]  numpyro_hmm.py:19
    return (i, o, p), None


def inputs():
    return [
        np.float32(0.0),  # a: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b: f32[6]
        np.float32(0.0),  # c: f32[]
        np.array([24.995325, 25.814734, -71.0863, 30.670383, 17.7268, 28.736588], np.float32),  # d: f32[6]
        # e: f32[6]
        np.array([-116.460144, -124.56338, -978.37714, -177.94489, -56.02238, -155.58562], np.float32),
        # f: f32[6]
        np.array([-24.995325, -25.814734, 71.0863, -30.670383, -17.7268, -28.736588], np.float32),
        # g: f32[6]
        np.array([-1.6440146, -2.2432861, 1.9554063, 1.5944945, -1.9002067, -1.6913868], np.float32),
        np.array([0, 1, 2, 3, 4, 5], np.int32),  # h: i32[6]
    ]


def repro(a, b, c, d, e, f, g, h):
    (i, j, k), _ = lax.scan(  # f32[], f32[6], f32[]  scan.py:339
        body, (a, b, c), (d, e, f, g, h), reverse=True
    )
    # result[0], result[1], result[2]
    return i, j, k


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
