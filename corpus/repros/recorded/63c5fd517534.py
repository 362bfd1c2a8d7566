# /// jace-repro
# schema = 1
# name = "checked_sqrt"
# origin = "scripts/libraries/chex_chexify.py:22 (checked_sqrt)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "63c5fd5175347daaf3c3c3689a52f731235b22d1f62398648aec74472d2bc31a"
# outputs_sha256 = "5e54ef5038cb9400cfa7dd5d241226cc6b58361dc2a2c8deb3437337e2d1fbbb"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""checked_sqrt (chex_chexify.py:22): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


@jax.jit
def isclose(a, b, c, d):
    e = lax.convert_element_type(d, f32)  # f32[]
    f = lax.convert_element_type(c, f32)  # f32[]
    g = lax.ne(a, a)  # bool[6]
    h = lax.ne(b, b)  # bool[6]
    _ = lax.bitwise_and(g, h)  # bool[6]
    i = lax.is_finite(b)  # bool[6]
    j = lax.sub(a, b)  # f32[6]
    k = lax.abs(j)  # f32[6]
    l = lax.abs(b)  # f32[6]
    m = lax.mul(e, l)  # f32[6]
    n = lax.add(f, m)  # f32[6]
    o = lax.le(k, n)  # bool[6]
    p = lax.eq(a, b)  # bool[6]
    q = lax.bitwise_and(i, o)  # bool[6]
    r = lax.bitwise_or(p, q)  # bool[6]
    return r


def inputs():
    return [
        np.array([0.25, 0.80999994, 0.16000006, 0.16000006, 0.80999994, 0.25], np.float32),  # a: f32[6]
    ]


def repro(a):
    b = lax.abs(a)  # f32[6]  chex_chexify.py:25
    c = isclose(a, b, 0.001, 1e-06)  # bool[6]  asserts.py:1713
    d = lax.reduce_and(c, axes=(0,))  # bool[]  asserts.py:1713
    e = lax.bitwise_not(d)  # bool[]  asserts_internal.py:265
    f = lax.bitwise_or(False, e)  # bool[]  asserts_internal.py:265
    g = lax.select_n(False, 1, -1)  # i32[] weak  asserts_internal.py:265
    h = lax.bitwise_or(False, f)  # bool[]  asserts_internal.py:265
    i = lax.select_n(False, g, -1)  # i32[] weak  asserts_internal.py:265
    j = lax.bitwise_and(True, d)  # bool[]  asserts_internal.py:430
    k = lax.bitwise_and(True, j)  # bool[]  asserts_internal.py:441
    l = lax.bitwise_not(k)  # bool[]  asserts_internal.py:276
    m = lax.bitwise_or(False, l)  # bool[]  asserts_internal.py:276
    n = lax.select_n(False, 2, -1)  # i32[] weak  asserts_internal.py:276
    o = lax.bitwise_or(False, m)  # bool[]  asserts_internal.py:276
    p = lax.select_n(False, n, -1)  # i32[] weak  asserts_internal.py:276
    q = lax.sqrt(a)  # f32[6]  chex_chexify.py:26
    # result[0][0][0][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>, shape_dtypes=())],
    # result[0][0][0][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(6,), dtype=float32), ShapeDtypeStruct(shape=(6,), dtype=float32)))],
    # result[0][0][1][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>, shape_dtypes=())],
    # result[0][0][1][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(6,), dtype=float32), ShapeDtypeStruct(shape=(6,), dtype=float32)))],
    # result[0][0][2][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(6,), dtype=float32), ShapeDtypeStruct(shape=(6,), dtype=float32)))][0],
    # result[0][0][2][ErrorEffect(error_type=<class 'jax._src.checkify.FailedCheckError'>,
    # shape_dtypes=(ShapeDtypeStruct(shape=(6,), dtype=float32), ShapeDtypeStruct(shape=(6,), dtype=float32)))][1],
    # result[0][1][0]
    return o, h, p, i, a, b, q


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
