# /// jace-repro
# schema = 1
# name = "abs_shape_int8_20_20_"
# origin = "jax harness abs_shape_int8_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8009d8e10ea34c2ef2839cac4bcebbc353c9e2dd3f712ed44c8052e75a71ce10"
# sidecar_sha256 = "4ff19732f07bcbb79b1fc39357f4ce4736e0ec83a04916337c13e5490909ef4c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""abs_shape_int8_20_20_ (jax harness abs_shape_int8_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "4ff19732f07bcbb79b1fc39357f4ce4736e0ec83a04916337c13e5490909ef4c"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i8[20,20]
    ]


def repro(a):
    b = lax.abs(a)  # i8[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
