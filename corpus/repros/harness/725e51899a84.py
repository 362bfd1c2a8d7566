# /// jace-repro
# schema = 1
# name = "cummax_dtype_by_fun_shape_complex64_8_9_associative_scan_red"
# origin = "jax harness cummax_dtype_by_fun_shape_complex64_8_9_associative_scan_reductions_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "725e51899a84d2a5f6de1eb56874dbd5d93c558784dd6eeecffe8c50679845ec"
# sidecar_sha256 = "af2db8f609c856a4af7d4b383f4e5d60d6f961fe15dfd531d54c8c3d060f39c3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cummax_dtype_by_fun_shape_complex64_8_9_associative_scan_red (jax harness cummax_dtype_by_fun_shape_complex64_8_9_associative_scan_reductions_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "af2db8f609c856a4af7d4b383f4e5d60d6f961fe15dfd531d54c8c3d060f39c3"


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
        ARRAYS["x0"],  # a = dyn_args[0]: c64[8,9]
    ]


def repro(a):
    b = lax.cummax(a, axis=0)  # c64[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
