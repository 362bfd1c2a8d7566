# /// jace-repro
# schema = 1
# name = "shift_right_logical_dtypes_lhs_int8_20_20_rhs_int8_20_20_"
# origin = "jax harness shift_right_logical_dtypes_lhs_int8_20_20_rhs_int8_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f8443f2631143e7bf944039e36a8d1088f37daf22fda51cf19f35d1eae8607e7"
# sidecar_sha256 = "af015c583d5a61fb48f91f83f717148c778ec37c7803ed0ae456fa34bd845467"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""shift_right_logical_dtypes_lhs_int8_20_20_rhs_int8_20_20_ (jax harness shift_right_logical_dtypes_lhs_int8_20_20_rhs_int8_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "af015c583d5a61fb48f91f83f717148c778ec37c7803ed0ae456fa34bd845467"


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
        ARRAYS["x1"],  # b = dyn_args[1]: i8[20,20]
    ]


def repro(a, b):
    c = lax.shift_right_logical(a, b)  # i8[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
