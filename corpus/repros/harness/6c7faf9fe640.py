# /// jace-repro
# schema = 1
# name = "floor_shape_float16_20_20_"
# origin = "jax harness floor_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6c7faf9fe640dc832e294092272201fb03f3e69fb88c57655103b48ac5c9c8bc"
# sidecar_sha256 = "49580ee8f698f6c7cb26732403ddb29e285b77de09af230a9b6104453348769f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""floor_shape_float16_20_20_ (jax harness floor_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "49580ee8f698f6c7cb26732403ddb29e285b77de09af230a9b6104453348769f"


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
    b = lax.floor(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
