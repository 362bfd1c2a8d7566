# /// jace-repro
# schema = 1
# name = "mul_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# origin = "jax harness mul_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "0a0969de4f5490bd7b5843bc3a56dae4dedfa111ac1384af27060fbd3298bf99"
# sidecar_sha256 = "c941c74ed3cc122979a421d79b123e111a0fd5ee858748ce3a85b7ab5a07fed8"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""mul_broadcasting_lhs_float32_20_20_rhs_float32_1_20_ (jax harness mul_broadcasting_lhs_float32_20_20_rhs_float32_1_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "c941c74ed3cc122979a421d79b123e111a0fd5ee858748ce3a85b7ab5a07fed8"


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
    c = lax.mul_p.bind(a, b)  # f32[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
