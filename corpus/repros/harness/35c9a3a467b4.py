# /// jace-repro
# schema = 1
# name = "igamma_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_"
# origin = "jax harness igamma_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "35c9a3a467b437c94ea2714961a0f0d2133960505fa3454ef43e3e17439fe63b"
# sidecar_sha256 = "805c1100591f18a46563cfa98cb2490cfeafec72fc02e2e8e05bfc485e6fcddc"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""igamma_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_ (jax harness igamma_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


SIDECAR_SHA256 = "805c1100591f18a46563cfa98cb2490cfeafec72fc02e2e8e05bfc485e6fcddc"


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
        ARRAYS["x0"].view(jnp.bfloat16),  # a = dyn_args[0]: bf16[20,20]
        ARRAYS["x1"].view(jnp.bfloat16),  # b = dyn_args[1]: bf16[20,20]
    ]


def repro(a, b):
    c = lax.igamma(a, b)  # bf16[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
