# /// jace-repro
# schema = 1
# name = "approx_top_k_large_False_max_False_op_bfloat16_32_"
# origin = "jax harness approx_top_k_large_False_max_False_op_bfloat16_32_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e78cb19c38c59fcf1b662e3a194e8d043e2a3cbd7c96aeabe025cc024f42916d"
# sidecar_sha256 = "fdf21d2e3bb609dd0ae7de1ff36c6b2440a660a6ac82169b39df2501359765ac"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""approx_top_k_large_False_max_False_op_bfloat16_32_ (jax harness approx_top_k_large_False_max_False_op_bfloat16_32_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


SIDECAR_SHA256 = "fdf21d2e3bb609dd0ae7de1ff36c6b2440a660a6ac82169b39df2501359765ac"


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
        ARRAYS["x0"].view(jnp.bfloat16),  # a = dyn_args[0]: bf16[32]
    ]


def repro(a):
    b, c = lax.approx_top_k_p.bind(  # bf16[4], i32[4]
        a,
        aggregate_to_topk=True,
        is_max_k=False,
        k=4,
        recall_target=0.95,
        reduction_dimension=-1,
        reduction_input_size_override=-1,
    )
    # result[0], result[1]
    return b, c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
