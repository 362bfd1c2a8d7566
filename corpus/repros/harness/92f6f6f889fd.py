# /// jace-repro
# schema = 1
# name = "sign_shape_int8_20_20_"
# origin = "jax harness sign_shape_int8_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "92f6f6f889fdf947c2867f007c4a9d12fc58f0ef481e24969010a9870a8353c5"
# sidecar_sha256 = "a9ebba13fcb392879774401f949df0b01c98116a1089fc08bbfb24b7dc1afbeb"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sign_shape_int8_20_20_ (jax harness sign_shape_int8_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "a9ebba13fcb392879774401f949df0b01c98116a1089fc08bbfb24b7dc1afbeb"


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
    b = lax.sign(a)  # i8[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
