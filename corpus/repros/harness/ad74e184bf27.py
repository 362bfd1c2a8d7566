# /// jace-repro
# schema = 1
# name = "asin_shape_float16_20_20_"
# origin = "jax harness asin_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ad74e184bf27deeb9288df9ddd968c132147953736e8105c84359824739a0437"
# sidecar_sha256 = "a37612750684d028e72132f60a3407ecce8086b1416f50ed30ecf94cc2d9f7ee"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""asin_shape_float16_20_20_ (jax harness asin_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "a37612750684d028e72132f60a3407ecce8086b1416f50ed30ecf94cc2d9f7ee"


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
    b = lax.asin(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
