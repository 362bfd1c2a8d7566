# /// jace-repro
# schema = 1
# name = "log1p_shape_float16_20_20_"
# origin = "jax harness log1p_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2684ac6a17c8b4303792da96eeb6fd73a0684efe7f35e87baf6e93d885353f57"
# sidecar_sha256 = "8f02a66c445a06842ea56e1135a7fe0293bae5c2ef96bd9d488f5160a029be3d"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""log1p_shape_float16_20_20_ (jax harness log1p_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "8f02a66c445a06842ea56e1135a7fe0293bae5c2ef96bd9d488f5160a029be3d"


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
    b = lax.log1p(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
