# /// jace-repro
# schema = 1
# name = "prefix_products"
# origin = "scripts/libraries/jax_associative_scan.py:17 (prefix_products)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "92281fac883ac157356936d2aaa17f887cd6f62c392a29d846a2e2e654b99c11"
# outputs_sha256 = "3eefbb1f92e888508e1a2dba7b60c00e0128bb8c415b0b1d2e3680ab252a9815"
# sidecar_sha256 = "8b4ab2af4ace2c2627cb792e4965ea6ceb792d143596892a2477c23026118f82"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""prefix_products (jax_associative_scan.py:17): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


SIDECAR_SHA256 = "8b4ab2af4ace2c2627cb792e4965ea6ceb792d143596892a2477c23026118f82"


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
        ARRAYS["x0"],  # a = matrices: f32[5,2,2]
    ]


def repro(a):
    b = lax.rev(a, (0,))  # f32[5,2,2]  jax_associative_scan.py:19
    c = lax.slice(b, (0, 0, 0), (4, 2, 2), (2, 1, 1))  # f32[2,2,2]  jax_associative_scan.py:19
    d = lax.slice(b, (1, 0, 0), (5, 2, 2), (2, 1, 1))  # f32[2,2,2]  jax_associative_scan.py:19
    e = lax.dot_general(  # f32[2,2,2]  jax_associative_scan.py:19
        c, d, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    f = lax.slice(e, (0, 0, 0), (1, 2, 2), (2, 1, 1))  # f32[1,2,2]  jax_associative_scan.py:19
    g = lax.slice(e, (1, 0, 0), (2, 2, 2), (2, 1, 1))  # f32[1,2,2]  jax_associative_scan.py:19
    h = lax.squeeze(f, (0,))  # f32[2,2]  jax_associative_scan.py:19
    i = lax.squeeze(g, (0,))  # f32[2,2]  jax_associative_scan.py:19
    j = lax.dot_general(  # f32[2,2]  jax_associative_scan.py:19
        h, i, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    k = lax.broadcast_in_dim(j, (1, 2, 2), (1, 2))  # f32[1,2,2]  jax_associative_scan.py:19
    l = lax.slice(k, (0, 0, 0), (0, 2, 2), (1, 1, 1))  # f32[0,2,2]  jax_associative_scan.py:19
    m = lax.slice(e, (2, 0, 0), (2, 2, 2), (2, 1, 1))  # f32[0,2,2]  jax_associative_scan.py:19
    n = lax.dot_general(  # f32[0,2,2]  jax_associative_scan.py:19
        l, m, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    o = lax.slice(e, (0, 0, 0), (1, 2, 2), (1, 1, 1))  # f32[1,2,2]  jax_associative_scan.py:19
    p = lax.concatenate([o, n], 0)  # f32[1,2,2]  jax_associative_scan.py:19
    q = lax.pad(  # f32[2,2,2]  jax_associative_scan.py:19
        p, np.float32(0.0), ((0, 1, 1), (0, 0, 0), (0, 0, 0))
    )
    r = lax.pad(  # f32[2,2,2]  jax_associative_scan.py:19
        k, np.float32(0.0), ((1, 0, 1), (0, 0, 0), (0, 0, 0))
    )
    s = lax.add(q, r)  # f32[2,2,2]  jax_associative_scan.py:19
    t = lax.slice(b, (2, 0, 0), (5, 2, 2), (2, 1, 1))  # f32[2,2,2]  jax_associative_scan.py:19
    u = lax.dot_general(  # f32[2,2,2]  jax_associative_scan.py:19
        s, t, (((2,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    v = lax.slice(b, (0, 0, 0), (1, 2, 2), (1, 1, 1))  # f32[1,2,2]  jax_associative_scan.py:19
    w = lax.concatenate([v, u], 0)  # f32[3,2,2]  jax_associative_scan.py:19
    x = lax.pad(  # f32[5,2,2]  jax_associative_scan.py:19
        w, np.float32(0.0), ((0, 0, 1), (0, 0, 0), (0, 0, 0))
    )
    y = lax.pad(  # f32[5,2,2]  jax_associative_scan.py:19
        s, np.float32(0.0), ((1, 1, 1), (0, 0, 0), (0, 0, 0))
    )
    z = lax.add(x, y)  # f32[5,2,2]  jax_associative_scan.py:19
    aa = lax.rev(z, (0,))  # f32[5,2,2]  jax_associative_scan.py:19
    return aa


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
