# /// jace-repro
# schema = 1
# name = "log_shape_float16_20_20_"
# origin = "jax harness log_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "3b6d4981da258032f36995ce997d1438a1a14bc8378b3d69c1e6499552e072d6"
# sidecar_sha256 = "62097528e82e80bbe59aa6b5aef44c63d42ca8771baa157a84d4fa7620f2c6e8"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""log_shape_float16_20_20_ (jax harness log_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "62097528e82e80bbe59aa6b5aef44c63d42ca8771baa157a84d4fa7620f2c6e8"


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
    b = lax.log(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
