# /// jace-repro
# schema = 1
# name = "expm1_shape_float16_20_20_"
# origin = "jax harness expm1_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6fc10c107e75c8b6306156eecde64b303be87b7fdc281397304eab9fed2164a1"
# sidecar_sha256 = "074ed4cd9ab327877904778c7bac6f431d8b6edabc677a2dda01a39681de5a21"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""expm1_shape_float16_20_20_ (jax harness expm1_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "074ed4cd9ab327877904778c7bac6f431d8b6edabc677a2dda01a39681de5a21"


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
    b = lax.expm1(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
