# /// jace-repro
# schema = 1
# name = "cumprod_dtype_by_fun_shape_complex128_8_9_axis_0_reverse_Fal"
# origin = "jax harness cumprod_dtype_by_fun_shape_complex128_8_9_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8bd5d657addc2b0b40eec36bbecaf4445930f0280a68c2f7c4d3b695744ab6f1"
# sidecar_sha256 = "dad8f795e585cd0617877549f7a5defb60cef324bac4776b5ec205306e5485b1"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cumprod_dtype_by_fun_shape_complex128_8_9_axis_0_reverse_Fal (jax harness cumprod_dtype_by_fun_shape_complex128_8_9_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


SIDECAR_SHA256 = "dad8f795e585cd0617877549f7a5defb60cef324bac4776b5ec205306e5485b1"


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
        ARRAYS["x0"],  # a = dyn_args[0]: c128[8,9]
    ]


def repro(a):
    b = lax.cumprod(a, axis=0)  # c128[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
