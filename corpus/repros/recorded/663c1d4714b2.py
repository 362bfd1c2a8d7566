# /// jace-repro
# schema = 1
# name = "power_iteration"
# origin = "scripts/libraries/jax_vectorize.py:15 (power_iteration)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "663c1d4714b299d532bec32288a9b097604e9abdb401c57f5421eabe77cc160b"
# outputs_sha256 = "f8932d6e5dc97d92c11f66b2b9926b663eb06dfe91fb7ecdeb935b5745a62b4c"
# sidecar_sha256 = "e17749bf99454235186fa30545abefd0e27936474d6415ec14c9416318319693"
# self_check = "exact"
#
# [static]
# steps = "4"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""power_iteration (jax_vectorize.py:15): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


SIDECAR_SHA256 = "e17749bf99454235186fa30545abefd0e27936474d6415ec14c9416318319693"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def norm(a):
    b = lax.mul(a, a)  # f32[2,3]
    c = lax.reduce_sum(b, axes=(1,))  # f32[2]
    d = lax.sqrt(c)  # f32[2]
    return d


def inputs():
    return [
        ARRAYS["x0"],  # a = matrix: f32[2,3,3]
    ]


def repro(a):
    # static: steps = 4
    b = lax.broadcast_in_dim(np.float32(1.0), (3,), ())  # f32[3]  jax_vectorize.py:17
    c = lax.dot_general(  # f32[2,3]  jax_vectorize.py:19
        a, b, (((2,), (0,)), ((), ())), preferred_element_type=f32
    )
    d = norm(c)  # f32[2]  jax_vectorize.py:20
    e = lax.broadcast_in_dim(d, (2, 1), (0,))  # f32[2,1]  jax_vectorize.py:20
    f = lax.div(c, e)  # f32[2,3]  jax_vectorize.py:20
    g = lax.dot_general(  # f32[2,3]  jax_vectorize.py:19
        a, f, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    h = norm(g)  # f32[2]  jax_vectorize.py:20
    i = lax.broadcast_in_dim(h, (2, 1), (0,))  # f32[2,1]  jax_vectorize.py:20
    j = lax.div(g, i)  # f32[2,3]  jax_vectorize.py:20
    k = lax.dot_general(  # f32[2,3]  jax_vectorize.py:19
        a, j, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    l = norm(k)  # f32[2]  jax_vectorize.py:20
    m = lax.broadcast_in_dim(l, (2, 1), (0,))  # f32[2,1]  jax_vectorize.py:20
    n = lax.div(k, m)  # f32[2,3]  jax_vectorize.py:20
    o = lax.dot_general(  # f32[2,3]  jax_vectorize.py:19
        a, n, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    p = norm(o)  # f32[2]  jax_vectorize.py:20
    q = lax.broadcast_in_dim(p, (2, 1), (0,))  # f32[2,1]  jax_vectorize.py:20
    r = lax.div(o, q)  # f32[2,3]  jax_vectorize.py:20
    s = lax.dot_general(  # f32[2,3]  jax_vectorize.py:21
        r, a, (((1,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    t = lax.dot_general(  # f32[2]  jax_vectorize.py:21
        s, r, (((1,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    # result[0], result[1]
    return r, t


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
