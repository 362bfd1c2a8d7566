# /// jace-repro
# schema = 1
# name = "rev_dtypes_shape_int8_4_5_dimensions_0_"
# origin = "jax harness rev_dtypes_shape_int8_4_5_dimensions_0_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7e610b665fe688aa72045d7d9c1ce0925ed2a814e735675108758ca62b71b7b1"
# sidecar_sha256 = "d6301350677370e035f5d3c18c7bd9c15f4083ebf86e19bbcc238a155cc1150f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""rev_dtypes_shape_int8_4_5_dimensions_0_ (jax harness rev_dtypes_shape_int8_4_5_dimensions_0_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "d6301350677370e035f5d3c18c7bd9c15f4083ebf86e19bbcc238a155cc1150f"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i8[4,5]
    ]


def repro(a):
    b = lax.rev(a, (0,))  # i8[4,5]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
