# /// jace-repro
# schema = 1
# name = "sort_dtypes_num_arrays_1_shape_int8_5_7_axis_0_isstable_Fals"
# origin = "jax harness sort_dtypes_num_arrays_1_shape_int8_5_7_axis_0_isstable_False_num_keys_1"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "60b7e1e2be0c39129387ac961ba84f0bccf99743df0509844b3cd8f5645ed0cb"
# sidecar_sha256 = "f4c639328202aff2cd8a803201f9f5abdc2db7a1419f5f88ba4f69d6ade9ff1d"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sort_dtypes_num_arrays_1_shape_int8_5_7_axis_0_isstable_Fals (jax harness sort_dtypes_num_arrays_1_shape_int8_5_7_axis_0_isstable_False_num_keys_1): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax


SIDECAR_SHA256 = "f4c639328202aff2cd8a803201f9f5abdc2db7a1419f5f88ba4f69d6ade9ff1d"


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
        ARRAYS["x0"],  # a = dyn_args[0]: i8[5,7]
    ]


def repro(a):
    (b,) = lax.sort_p.bind(a, dimension=0, is_stable=False, num_keys=1)  # i8[5,7]
    # result[0]
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
