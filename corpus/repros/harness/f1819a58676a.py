# /// jace-repro
# schema = 1
# name = "cumprod_dtype_by_fun_shape_float64_8_9_associative_scan_redu"
# origin = "jax harness cumprod_dtype_by_fun_shape_float64_8_9_associative_scan_reductions_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f1819a58676a24b098f03b77f3a1bb0c8e185e4ff32f379f0837dc9c900aa176"
# sidecar_sha256 = "1787e1c2705c989f9b78b2ae99fe7d7f38ff87ad43338c8e5857708227217faf"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cumprod_dtype_by_fun_shape_float64_8_9_associative_scan_redu (jax harness cumprod_dtype_by_fun_shape_float64_8_9_associative_scan_reductions_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


SIDECAR_SHA256 = "1787e1c2705c989f9b78b2ae99fe7d7f38ff87ad43338c8e5857708227217faf"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f64[8,9]
    ]


def repro(a):
    b = lax.cumprod(a, axis=0)  # f64[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
