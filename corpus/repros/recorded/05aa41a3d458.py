# /// jace-repro
# schema = 1
# name = "checked_fun"
# origin = "scripts/libraries/jax_checkify.py:29 (checked_fun)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "05aa41a3d458d49a1cbbd5f3c664602818e62b70250a50c7acc056b41d9653de"
# outputs_sha256 = "591d7fe740552c0d3b084ea9438ccde8a62ffccc66c197a34d3618fb0dbc3a6f"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""checked_fun (jax_checkify.py:29): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

bool_ = np.dtype("bool")


def body(carry, rows):
    a, b, c, d, e, f = carry
    g = lax.add(e, 1)  # i32[] weak
    h = lax.lt(f, 100.0)  # bool[] weak  jax_checkify.py:17
    i = lax.bitwise_not(h)  # bool[] weak  jax_checkify.py:17
    j = lax.convert_element_type(i, bool_)  # bool[]  jax_checkify.py:17
    k = lax.bitwise_or(False, j)  # bool[]  jax_checkify.py:17
    l = lax.select_n(False, 7, -1)  # i32[] weak  jax_checkify.py:17
    m = lax.bitwise_or(a, k)  # bool[]  jax_checkify.py:17
    n = lax.select_n(a, l, b)  # i32[] weak  jax_checkify.py:17
    o = lax.select_n(a, e, c)  # i32[]  jax_checkify.py:17
    p = lax.select_n(a, f, d)  # f32[]  jax_checkify.py:17
    q = lax.mul(f, 1.5)  # f32[] weak  jax_checkify.py:18
    return (m, n, o, p, g, q), None


def inputs():
    return [
        2.0,  # a: f32[] weak
    ]


def repro(a):
    # bool[], i32[] weak, i32[], f32[], i32[] weak, f32[] weak  jax_checkify.py:20
    (b, c, d, e, _, f), _ = lax.scan(
        body, (False, -1, np.int32(1), np.float32(1.0), 0, a), None, length=4
    )
    # result[0][0][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=int32), ShapeDtypeStruct(shape=(), dtype=float32)))],
    # result[0][1][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=int32), ShapeDtypeStruct(shape=(), dtype=float32)))],
    # result[0][2][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=int32), ShapeDtypeStruct(shape=(), dtype=float32)))][0],
    # result[0][2][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(), dtype=int32), ShapeDtypeStruct(shape=(), dtype=float32)))][1],
    # result[1]
    return b, c, d, e, f


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
