# /// jace-repro
# schema = 1
# name = "shift_left_dtypes_lhs_uint32_20_20_rhs_uint32_20_20_"
# origin = "jax harness shift_left_dtypes_lhs_uint32_20_20_rhs_uint32_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ea776474e96d91acef0021ae2c3349a4b73d65d3392c82885b161b7e8b072ee3"
# sidecar_sha256 = "845f4fb22457ad53e3ade05c2723a4892cd5eb86323277abfe1bbcbb103ee468"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""shift_left_dtypes_lhs_uint32_20_20_rhs_uint32_20_20_ (jax harness shift_left_dtypes_lhs_uint32_20_20_rhs_uint32_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "845f4fb22457ad53e3ade05c2723a4892cd5eb86323277abfe1bbcbb103ee468"


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
        ARRAYS["x0"],  # a = dyn_args[0]: u32[20,20]
        ARRAYS["x1"],  # b = dyn_args[1]: u32[20,20]
    ]


def repro(a, b):
    c = lax.shift_left(a, b)  # u32[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
