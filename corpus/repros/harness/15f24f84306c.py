# /// jace-repro
# schema = 1
# name = "cos_shape_float16_20_20_"
# origin = "jax harness cos_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "15f24f84306cbbd37e4b5fabc661a86495126088c87073a1c9aa695ce0df3d76"
# sidecar_sha256 = "633a2bcdb93d4896138a30f3740a467c259e4de8018eab958c9ec5310cfea7d1"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cos_shape_float16_20_20_ (jax harness cos_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "633a2bcdb93d4896138a30f3740a467c259e4de8018eab958c9ec5310cfea7d1"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f16[20,20]
    ]


def repro(a):
    b = lax.cos(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
