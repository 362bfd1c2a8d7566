# /// jace-repro
# schema = 1
# name = "asin_shape_float32_20_20_"
# origin = "jax harness asin_shape_float32_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4ab3818aa6b415b11fdff471792f0684b266f284c16d146140977029d9ffecda"
# sidecar_sha256 = "a147db81df51d1d30040a35c7813c5ead8b2d8ab421b3a5549eba509c1c60f77"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""asin_shape_float32_20_20_ (jax harness asin_shape_float32_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "a147db81df51d1d30040a35c7813c5ead8b2d8ab421b3a5549eba509c1c60f77"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f32[20,20]
    ]


def repro(a):
    b = lax.asin(a)  # f32[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
