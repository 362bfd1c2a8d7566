# /// jace-repro
# schema = 1
# name = "cummax_reverse_shape_float32_8_9_associative_scan_reductions"
# origin = "jax harness cummax_reverse_shape_float32_8_9_associative_scan_reductions_axis_0_reverse_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7c704e044505ca8560e2c850b3e75da862aa6a1538f070c9bbcdc95ddcedc5a7"
# sidecar_sha256 = "10efcd7b1792114a899262a8a772bfd9d9571fbd0d8b1ef14593c4bc2b7fc220"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cummax_reverse_shape_float32_8_9_associative_scan_reductions (jax harness cummax_reverse_shape_float32_8_9_associative_scan_reductions_axis_0_reverse_True): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "10efcd7b1792114a899262a8a772bfd9d9571fbd0d8b1ef14593c4bc2b7fc220"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f32[8,9]
    ]


def repro(a):
    b = lax.cummax(a, axis=0, reverse=True)  # f32[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
