# /// jace-repro
# schema = 1
# name = "sub_dtypes_lhs_complex64_20_20_rhs_complex64_20_20_"
# origin = "jax harness sub_dtypes_lhs_complex64_20_20_rhs_complex64_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8100c55250683d16894b4d85c39e8565ecbbab0227395951d3ef9d02201f0ff7"
# sidecar_sha256 = "6fa23018fd2de42e117c0e0828b4d9b44054cc5f4c61983ace8391208a2ada35"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sub_dtypes_lhs_complex64_20_20_rhs_complex64_20_20_ (jax harness sub_dtypes_lhs_complex64_20_20_rhs_complex64_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "6fa23018fd2de42e117c0e0828b4d9b44054cc5f4c61983ace8391208a2ada35"


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
        ARRAYS["x0"],  # a = dyn_args[0]: c64[20,20]
        ARRAYS["x1"],  # b = dyn_args[1]: c64[20,20]
    ]


def repro(a, b):
    c = lax.sub(a, b)  # c64[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
