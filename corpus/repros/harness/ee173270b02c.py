# /// jace-repro
# schema = 1
# name = "bessel_i0e_shape_float16_20_20_"
# origin = "jax harness bessel_i0e_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ee173270b02c4f1521ffce7eec84c84cc0b134dffb5b609a4e98c8291da09aec"
# sidecar_sha256 = "2dce4953bafbff9e64b5169ce487c75a7e9e9f7037e8c0554a640c0e76a5088f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""bessel_i0e_shape_float16_20_20_ (jax harness bessel_i0e_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "2dce4953bafbff9e64b5169ce487c75a7e9e9f7037e8c0554a640c0e76a5088f"


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
    b = lax.bessel_i0e(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
