# /// jace-repro
# schema = 1
# name = "cumlogsumexp_dtype_by_fun_shape_float16_8_9_axis_0_reverse_F"
# origin = "jax harness cumlogsumexp_dtype_by_fun_shape_float16_8_9_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "91b6a27a66cfe0680b4d7b8dadb8a5924fab07390baee1454ed4958a46061286"
# sidecar_sha256 = "8cb0751f0adce03bbc95aba64d36dd1364b97d71ff097f945088145c2066add9"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cumlogsumexp_dtype_by_fun_shape_float16_8_9_axis_0_reverse_F (jax harness cumlogsumexp_dtype_by_fun_shape_float16_8_9_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "8cb0751f0adce03bbc95aba64d36dd1364b97d71ff097f945088145c2066add9"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f16[8,9]
    ]


def repro(a):
    b = lax.cumlogsumexp(a, axis=0)  # f16[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
