# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/chex_dataclass.py:22 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "343b7fbe77f1b73adb1d0e7384036994e8649201b982e5548e13b783f4be0d2a"
# outputs_sha256 = "34401c14e00a378252941f53af4e96f03b4af95ad906e2e65916f1c72d05c635"
# sidecar_sha256 = "e968ea0401156b6eeef4171a002322a4c09078dd38986ba3dd938474e14cd7b9"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (chex_dataclass.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


SIDECAR_SHA256 = "e968ea0401156b6eeef4171a002322a4c09078dd38986ba3dd938474e14cd7b9"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def inputs():
    return [
        0,  # a = state.steps: i32[] weak
        np.array([0.0, 0.0, 0.0], np.float32),  # b = state.velocity: f32[3]
        np.array([0.0, 0.0, 0.0], np.float32),  # c = state.weights: f32[3]
        ARRAYS["x3"],  # d = x: f32[10,3]
        np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0], np.float32),  # e = y: f32[10]
    ]


def repro(a, b, c, d, e):
    f = lax.dot_general(  # f32[10]  chex_dataclass.py:19
        d, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    g = lax.logistic(f)  # f32[10]  chex_dataclass.py:19
    h = lax.sub(np.float32(1.0), g)  # f32[10]  chex_dataclass.py:19
    i = lax.mul(g, h)  # f32[10]  chex_dataclass.py:19
    j = lax.sub(g, e)  # f32[10]  chex_dataclass.py:28
    k = lax.integer_pow(j, 2)  # f32[10]  chex_dataclass.py:28
    l = lax.mul(np.float32(2.0), j)  # f32[10]  chex_dataclass.py:28
    m = lax.reduce_sum(k, axes=(0,))  # f32[]  chex_dataclass.py:28
    _ = lax.div(m, np.float32(10.0))  # f32[]  chex_dataclass.py:28
    n = lax.div(np.float32(1.0), np.float32(10.0))  # f32[]  chex_dataclass.py:28
    o = lax.broadcast_in_dim(n, (10,), ())  # f32[10]  chex_dataclass.py:28
    p = lax.mul(o, l)  # f32[10]  chex_dataclass.py:28
    q = lax.mul(p, i)  # f32[10]  chex_dataclass.py:19
    r = lax.dot_general(  # f32[3]  chex_dataclass.py:19
        q, d, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    _ = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]  chex_dataclass.py:30
    s = lax.mul(np.float32(0.9), b)  # f32[3]  chex_dataclass.py:31
    t = lax.mul(np.float32(0.5), r)  # f32[3]  chex_dataclass.py:31
    u = lax.sub(s, t)  # f32[3]  chex_dataclass.py:31
    v = lax.add(c, u)  # f32[3]  chex_dataclass.py:32
    w = lax.add(a, 1)  # i32[] weak  chex_dataclass.py:32
    # result.steps, result.velocity, result.weights
    return w, u, v


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
