# /// jace-repro
# schema = 1
# name = "eig_shape_float32_5_5_computelefteigenvectors_True_computeri"
# origin = "jax harness eig_shape_float32_5_5_computelefteigenvectors_True_computerighteigenvectors_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6044cbc8e0e2007227dacf8102b162460b5d9d3282698dc450089517b80d4e53"
# sidecar_sha256 = "80a85ed5aa4410c1d0fcd2960e7efc11234099776dbd20c431a3b1b061515d7f"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""eig_shape_float32_5_5_computelefteigenvectors_True_computeri (jax harness eig_shape_float32_5_5_computelefteigenvectors_True_computerighteigenvectors_True): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax.extend.core import primitives


SIDECAR_SHA256 = "80a85ed5aa4410c1d0fcd2960e7efc11234099776dbd20c431a3b1b061515d7f"


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
        ARRAYS["x0"],  # a = dyn_args[0]: f32[5,5]
    ]


def repro(a):
    b, c, d = primitives.eig_p.bind(  # c64[5], c64[5,5], c64[5,5]
        a,
        compute_left_eigenvectors=True,
        compute_right_eigenvectors=True,
        enable_eigvec_derivs=False,
        implementation=None,
    )
    # result[0], result[1], result[2]
    return b, c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
