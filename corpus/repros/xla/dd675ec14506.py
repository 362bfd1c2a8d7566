# /// jace-repro
# schema = 1
# name = "jax_39103"
# origin = "jax issue 39103"
# pipeline = "fused"
# outcome = "reference-mismatch"
# signature = "dd675ec14506"
# fingerprint = "afe04643d6b05acfd1bf2d7f6e1790ea4827a3a099e68e1063c57309fe0f5a89"
# sidecar_sha256 = "b3afd0c6c1410999e0055184198afbb8d506c77ce65e90fcc3ff5cccac3a8198"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.2", "jaxlib==0.10.2", "numpy==2.4.6"]
# ///
"""jax_39103 (jax issue 39103): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax

f64 = np.dtype("float64")


SIDECAR_SHA256 = "b3afd0c6c1410999e0055184198afbb8d506c77ce65e90fcc3ff5cccac3a8198"


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
        np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], np.float64),  # a: f64[2,3]
        ARRAYS["x1"],  # b: f64[16385,3]
    ]


def repro(a, b):
    c = lax.dot_general(a, b, (((1,), (1,)), ((), ())), preferred_element_type=f64)  # f64[2,16385]
    d = lax.reduce_sum(c, axes=(0,))  # f64[16385]
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
