# /// jace-repro
# schema = 1
# name = "spread"
# origin = "scripts/libraries/jax_vectorize.py:29 (spread)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8673a019e387985dfb44f85041617f57bc86f2a5d4e3c1e6a9028be55436108d"
# outputs_sha256 = "ce6b501c1347b58d02103dcb5faae5211c5a644401380c32414a3af581238380"
# sidecar_sha256 = "d1645cba168d34c0e74a68d920b843c56593690aa5994f866756ec62277220e1"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""spread (jax_vectorize.py:29): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")
i32 = np.dtype("int32")


SIDECAR_SHA256 = "d1645cba168d34c0e74a68d920b843c56593690aa5994f866756ec62277220e1"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def argsort(a):
    b = lax.broadcasted_iota(i32, (6,), 0)  # i32[6]
    c = lax.broadcast_in_dim(b, (6, 3), (0,))  # i32[6,3]
    _, d = lax.sort_p.bind(a, c, dimension=0, is_stable=True, num_keys=1)  # f32[6,3], i32[6,3]
    return d


def inputs():
    return [
        ARRAYS["x0"],  # a = points: f32[6,3]
    ]


def repro(a):
    b = argsort(a)  # i32[6,3]  jax_vectorize.py:31
    c = lax.dot_general(  # f32[3,3]  jax_vectorize.py:32
        a, a, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    d = lax.div(c, np.float32(6.0))  # f32[3,3]  jax_vectorize.py:32
    # result[0], result[1]
    return d, b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
