# /// jace-repro
# schema = 1
# name = "igammac_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# origin = "jax harness igammac_broadcasting_lhs_float32_20_20_rhs_float32_1_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "24b7ff0886993e84cd38c6189db1735694404c4825b2b300b9605b79a2617c75"
# sidecar_sha256 = "ef21375a543824b82186dcd7bfe66027636d3bc996477da1791c3c8b9c38a322"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""igammac_broadcasting_lhs_float32_20_20_rhs_float32_1_20_ (jax harness igammac_broadcasting_lhs_float32_20_20_rhs_float32_1_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "ef21375a543824b82186dcd7bfe66027636d3bc996477da1791c3c8b9c38a322"


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
    c = lax.igammac(a, b)  # f32[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
