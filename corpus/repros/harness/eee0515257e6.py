# /// jace-repro
# schema = 1
# name = "shift_right_arithmetic_dtypes_lhs_int32_20_20_rhs_int32_20_2"
# origin = "jax harness shift_right_arithmetic_dtypes_lhs_int32_20_20_rhs_int32_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "eee0515257e6ecdaadcd1526796126999772c59b384c1ecf2501586854bdbd1c"
# sidecar_sha256 = "1472f6a303814141e262ad85e7b4c351ddafe10399db56ff45baec9aa595608c"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""shift_right_arithmetic_dtypes_lhs_int32_20_20_rhs_int32_20_2 (jax harness shift_right_arithmetic_dtypes_lhs_int32_20_20_rhs_int32_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "1472f6a303814141e262ad85e7b4c351ddafe10399db56ff45baec9aa595608c"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i32[20,20]
        ARRAYS["x1"],  # b = dyn_args[1]: i32[20,20]
    ]


def repro(a, b):
    c = lax.shift_right_arithmetic(a, b)  # i32[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
