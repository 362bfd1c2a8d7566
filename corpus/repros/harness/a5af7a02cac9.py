# /// jace-repro
# schema = 1
# name = "cumlogsumexp_axis_by_fun_shape_float32_8_9_axis_0_reverse_Fa"
# origin = "jax harness cumlogsumexp_axis_by_fun_shape_float32_8_9_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "a5af7a02cac97c962c2dcf064f4b455eaa2a9103e84e0c28889e65494b7cdba3"
# sidecar_sha256 = "9567470da906c81d1a45cdd7d5299c26fe38a725bb4f9a595bc5aaa14cce3309"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cumlogsumexp_axis_by_fun_shape_float32_8_9_axis_0_reverse_Fa (jax harness cumlogsumexp_axis_by_fun_shape_float32_8_9_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "9567470da906c81d1a45cdd7d5299c26fe38a725bb4f9a595bc5aaa14cce3309"


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
    b = lax.cumlogsumexp(a, axis=0)  # f32[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
