# /// jace-repro
# schema = 1
# name = "cumsum_dtype_by_fun_shape_bfloat16_8_9_associative_scan_redu"
# origin = "jax harness cumsum_dtype_by_fun_shape_bfloat16_8_9_associative_scan_reductions_axis_0_reverse_False"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4a75fc05ba8ce358cbf83b7788366ae201269d42efddac7a9c95b8489958e833"
# sidecar_sha256 = "44d68b1658bf019dc34812b15394ff3bf7ca77457ba9d06809b30abbe37f1560"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""cumsum_dtype_by_fun_shape_bfloat16_8_9_associative_scan_redu (jax harness cumsum_dtype_by_fun_shape_bfloat16_8_9_associative_scan_reductions_axis_0_reverse_False): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


SIDECAR_SHA256 = "44d68b1658bf019dc34812b15394ff3bf7ca77457ba9d06809b30abbe37f1560"


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
        ARRAYS["x0"].view(jnp.bfloat16),  # a = dyn_args[0]: bf16[8,9]
    ]


def repro(a):
    b = lax.cumsum(a, axis=0)  # bf16[8,9]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
