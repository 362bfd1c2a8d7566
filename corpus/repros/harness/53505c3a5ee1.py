# /// jace-repro
# schema = 1
# name = "shift_right_arithmetic_dtypes_lhs_int16_20_20_rhs_int16_20_2"
# origin = "jax harness shift_right_arithmetic_dtypes_lhs_int16_20_20_rhs_int16_20_20_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "53505c3a5ee109b28d81103adc66dbb38d5dbd17fe1d06af0967bf8876d0dfba"
# sidecar_sha256 = "a0dba2e0db46ee1ef86dc8b234e7f75f380dc4802a397e2084ff4947a75254f3"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""shift_right_arithmetic_dtypes_lhs_int16_20_20_rhs_int16_20_2 (jax harness shift_right_arithmetic_dtypes_lhs_int16_20_20_rhs_int16_20_20_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "a0dba2e0db46ee1ef86dc8b234e7f75f380dc4802a397e2084ff4947a75254f3"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i16[20,20]
        ARRAYS["x1"],  # b = dyn_args[1]: i16[20,20]
    ]


def repro(a, b):
    c = lax.shift_right_arithmetic(a, b)  # i16[20,20]
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
