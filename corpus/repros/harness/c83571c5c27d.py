# /// jace-repro
# schema = 1
# name = "bessel_i1e_shape_float32_20_20_"
# origin = "jax harness bessel_i1e_shape_float32_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "c83571c5c27d813de9907b356eca420631b052e4447e3caf1866cec403c65034"
# sidecar_sha256 = "034b7d12cca8bedf837f647f20ececeb8fc92d8ba0c6e9c5285a27d7196ecb72"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""bessel_i1e_shape_float32_20_20_ (jax harness bessel_i1e_shape_float32_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "034b7d12cca8bedf837f647f20ececeb8fc92d8ba0c6e9c5285a27d7196ecb72"


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
    ]


def repro(a):
    b = lax.bessel_i1e(a)  # f32[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
