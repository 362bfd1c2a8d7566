# /// jace-repro
# schema = 1
# name = "neg_shape_int32_20_20_"
# origin = "jax harness neg_shape_int32_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "69780d3d26f4de30b8a75809765b355f62eb96cf584b755ed0347df0e56e0736"
# sidecar_sha256 = "6447d41c203648b6027da1cffcc6cb1640af9ec7b701a004189cb3cb80d2f6e2"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""neg_shape_int32_20_20_ (jax harness neg_shape_int32_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "6447d41c203648b6027da1cffcc6cb1640af9ec7b701a004189cb3cb80d2f6e2"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i32[20,20]
    ]


def repro(a):
    b = lax.neg(a)  # i32[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
