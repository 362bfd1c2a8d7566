# /// jace-repro
# schema = 1
# name = "integer_pow_dtypes_shape_int32_20_30_y_0"
# origin = "jax harness integer_pow_dtypes_shape_int32_20_30_y_0"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "429a353f4f910f1735e054c6830591ee2fb5e07507c1bb809f204e8aecf167bf"
# sidecar_sha256 = "27e20464aebb3b5b044535531826d9758b7abaecdc2fce0dea97fc7c717ecbb2"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""integer_pow_dtypes_shape_int32_20_30_y_0 (jax harness integer_pow_dtypes_shape_int32_20_30_y_0): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "27e20464aebb3b5b044535531826d9758b7abaecdc2fce0dea97fc7c717ecbb2"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i32[20,30]
    ]


def repro(a):
    b = lax.integer_pow(a, 0)  # i32[20,30]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
