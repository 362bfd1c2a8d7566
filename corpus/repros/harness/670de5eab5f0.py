# /// jace-repro
# schema = 1
# name = "atan2_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# origin = "jax harness atan2_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "670de5eab5f001d83839238c47a6912b21f20273efbe7045e4caf93aefa05256"
# sidecar_sha256 = "0df2d2388d0e5c81066e6ac0b64b1d546182aa81a91830f1a3c7c86c38f8cab7"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""atan2_broadcasting_lhs_float32_20_20_rhs_float32_1_20_ (jax harness atan2_broadcasting_lhs_float32_20_20_rhs_float32_1_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "0df2d2388d0e5c81066e6ac0b64b1d546182aa81a91830f1a3c7c86c38f8cab7"


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
        ARRAYS["x1"],  # b = dyn_args[1]: f32[1,20]
    ]


def repro(a, b):
    c = lax.atan2(a, b)  # f32[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
