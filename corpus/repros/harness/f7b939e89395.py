# /// jace-repro
# schema = 1
# name = "eigh_shape_float32_2_20_20_lower_True"
# origin = "jax harness eigh_shape_float32_2_20_20_lower_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f7b939e89395b75fcbe128802c3d941a5af7f19755c4e60f503ff1ec353e13a4"
# sidecar_sha256 = "7d58f07b07c99a16bd64f5ca530399fd54657a399ab91d3d4f1a3c48a53aa901"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""eigh_shape_float32_2_20_20_lower_True (jax harness eigh_shape_float32_2_20_20_lower_True): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

i32 = np.dtype("int32")


SIDECAR_SHA256 = "7d58f07b07c99a16bd64f5ca530399fd54657a399ab91d3d4f1a3c48a53aa901"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def tril(a):
    b = lax.broadcasted_iota(i32, (20, 20), 0)  # i32[20,20]
    c = lax.add(b, np.int32(0))  # i32[20,20]
    d = lax.broadcasted_iota(i32, (20, 20), 1)  # i32[20,20]
    e = lax.ge(c, d)  # bool[20,20]
    f = lax.broadcast_in_dim(e, (2, 20, 20), (1, 2))  # bool[2,20,20]
    g = lax.broadcast_in_dim(np.float32(0.0), (2, 20, 20), ())  # f32[2,20,20]
    h = lax.select_n(f, g, a)  # f32[2,20,20]
    return h


def inputs():
    return [
        ARRAYS["x0"],  # a = dyn_args[0]: f32[2,20,20]
    ]


def repro(a):
    b = tril(a)  # f32[2,20,20]
    c, d = primitives.eigh_p.bind(  # f32[2,20,20], f32[2,20]
        b, algorithm=None, lower=True, sort_eigenvalues=True, subset_by_index=None
    )
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
