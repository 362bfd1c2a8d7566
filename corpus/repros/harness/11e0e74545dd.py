# /// jace-repro
# schema = 1
# name = "eigh_shape_float64_2_20_20_lower_True"
# origin = "jax harness eigh_shape_float64_2_20_20_lower_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "11e0e74545dd775cb8f5fc72bb52abeb957c81f9cdac364bbb319484f3f98463"
# sidecar_sha256 = "9556550d9da07b0ab57be98633e41c887bf199952167d55d24db726de84266e5"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""eigh_shape_float64_2_20_20_lower_True (jax harness eigh_shape_float64_2_20_20_lower_True): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax
from jax.extend.core import primitives

i64 = np.dtype("int64")


SIDECAR_SHA256 = "9556550d9da07b0ab57be98633e41c887bf199952167d55d24db726de84266e5"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def tril(a):
    b = lax.broadcasted_iota(i64, (20, 20), 0)  # i64[20,20]
    c = lax.add(b, np.int64(0))  # i64[20,20]
    d = lax.broadcasted_iota(i64, (20, 20), 1)  # i64[20,20]
    e = lax.ge(c, d)  # bool[20,20]
    f = lax.broadcast_in_dim(e, (2, 20, 20), (1, 2))  # bool[2,20,20]
    g = lax.broadcast_in_dim(np.float64(0.0), (2, 20, 20), ())  # f64[2,20,20]
    h = lax.select_n(f, g, a)  # f64[2,20,20]
    return h


def inputs():
    return [
        ARRAYS["x0"],  # a = dyn_args[0]: f64[2,20,20]
    ]


def repro(a):
    b = tril(a)  # f64[2,20,20]
    c, d = primitives.eigh_p.bind(  # f64[2,20,20], f64[2,20]
        b, algorithm=None, lower=True, sort_eigenvalues=True, subset_by_index=None
    )
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
