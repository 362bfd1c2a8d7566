# /// jace-repro
# schema = 1
# name = "igammac_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_"
# origin = "jax harness igammac_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "226793f1f83f3fca79f89ec29a3a8fa31e0449574416fba81ebdcbd89fdf1e13"
# sidecar_sha256 = "6c8b9dcdfc7c5647ad93a92c443ee8abe94ac85378e0595f2ec2769a606554f1"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""igammac_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_ (jax harness igammac_dtypes_lhs_bfloat16_20_20_rhs_bfloat16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


SIDECAR_SHA256 = "6c8b9dcdfc7c5647ad93a92c443ee8abe94ac85378e0595f2ec2769a606554f1"


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
    c = lax.igammac(a, b)  # bf16[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
