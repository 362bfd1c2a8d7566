# /// jace-repro
# schema = 1
# name = "integer_pow_dtypes_shape_int8_20_30_y_0"
# origin = "jax harness integer_pow_dtypes_shape_int8_20_30_y_0"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2974603e759d900eee7bc0c34e618d2a54a7e65c221b1e86d1968194d75f10f6"
# sidecar_sha256 = "87a986a4806c59f36755b42cd567532b327b7b56febc59c2199cdae5e0010dc5"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""integer_pow_dtypes_shape_int8_20_30_y_0 (jax harness integer_pow_dtypes_shape_int8_20_30_y_0): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "87a986a4806c59f36755b42cd567532b327b7b56febc59c2199cdae5e0010dc5"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i8[20,30]
    ]


def repro(a):
    b = lax.integer_pow(a, 0)  # i8[20,30]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
