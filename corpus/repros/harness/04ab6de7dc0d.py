# /// jace-repro
# schema = 1
# name = "exp_shape_float16_20_20_"
# origin = "jax harness exp_shape_float16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "04ab6de7dc0dca5b33b668c80274abbd98f047b9f60fc73219a6cff237fcff2b"
# sidecar_sha256 = "134de66e08257d83a0238e9eacbde893817af858e5e13ff0d6c2da538a75fa92"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""exp_shape_float16_20_20_ (jax harness exp_shape_float16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "134de66e08257d83a0238e9eacbde893817af858e5e13ff0d6c2da538a75fa92"


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
    b = lax.exp(a)  # f16[20,20]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
