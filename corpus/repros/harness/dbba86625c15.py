# /// jace-repro
# schema = 1
# name = "neg_shape_int8_20_20_"
# origin = "jax harness neg_shape_int8_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "dbba86625c15eb9e6cee7eb1ea901b7c03c2779bd32c35d512f9f6716966b4dc"
# sidecar_sha256 = "012dd5d1ce02890267a00b5eee17c7509c6aa5217f6126aab9a2d443bf35632f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""neg_shape_int8_20_20_ (jax harness neg_shape_int8_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "012dd5d1ce02890267a00b5eee17c7509c6aa5217f6126aab9a2d443bf35632f"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i8[20,20]
    ]


def repro(a):
    b = lax.neg(a)  # i8[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
