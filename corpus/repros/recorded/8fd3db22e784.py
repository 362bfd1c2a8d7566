# /// jace-repro
# schema = 1
# name = "decompositions"
# origin = "scripts/libraries/jaxscipy_linalg_kalman.py:31 (decompositions)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8fd3db22e784de592bf6d0ef88af2cbc216779af0664e4a20eee38dad70bb3e2"
# outputs_sha256 = "d5bc6757f4f6d29bca1d6b92116678e691b9d8a139a7faace30cfd34b65dd398"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""decompositions (jaxscipy_linalg_kalman.py:31): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jax.jit
def tril(a):
    b = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]
    c = lax.add(b, np.int32(-1))  # i32[3,3]
    d = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]
    e = lax.ge(c, d)  # bool[3,3]
    f = lax.broadcast_in_dim(np.float32(0.0), (3, 3), ())  # f32[3,3]
    g = lax.select_n(e, f, a)  # f32[3,3]
    return g


@jax.jit
def triu(a):
    b = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]
    c = lax.add(b, np.int32(-1))  # i32[3,3]
    d = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]
    e = lax.ge(c, d)  # bool[3,3]
    f = lax.broadcast_in_dim(np.float32(0.0), (3, 3), ())  # f32[3,3]
    g = lax.select_n(e, a, f)  # f32[3,3]
    return g


@jit("_lu")
def lu_fn(a):
    b, _, c = primitives.lu_p.bind(a)  # f32[3,3], i32[3], i32[3]
    d = lax.broadcast_in_dim(c, (1, 3), (1,))  # i32[1,3]
    e = lax.broadcasted_iota(i32, (3,), 0)  # i32[3]
    f = lax.broadcast_in_dim(e, (3, 1), (0,))  # i32[3,1]
    g = lax.eq(d, f)  # bool[3,3]
    h = lax.copy_p.bind(g)  # bool[3,3]
    i = lax.convert_element_type(h, f32)  # f32[3,3]
    j = tril(b)  # f32[3,3]
    k = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]
    l = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]
    m = lax.add(k, np.int32(0))  # i32[3,3]
    n = lax.eq(m, l)  # bool[3,3]
    o = lax.convert_element_type(n, f32)  # f32[3,3]
    p = lax.add(j, o)  # f32[3,3]
    q = triu(b)  # f32[3,3]
    return i, p, q


@jit("lu")
def lu_fn_2(a):
    b, c, d = lu_fn(a)  # f32[3,3], f32[3,3], f32[3,3]
    return b, c, d


@jit("_qr")
def qr_fn(a):
    b, c = primitives.qr_p.bind(a, full_matrices=True, pivoting=False, use_magma=None)  # f32[3,3], f32[3,3]
    return b, c


@jit("_eigh")
def eigh(a):
    b = lax.transpose(a, (1, 0))  # f32[3,3]
    c = lax.add(a, b)  # f32[3,3]
    d = lax.div(c, np.float32(2.0))  # f32[3,3]
    e, f = primitives.eigh_p.bind(  # f32[3,3], f32[3]
        d, algorithm=None, lower=True, sort_eigenvalues=True, subset_by_index=None
    )
    return f, e


@jit("_svd")
def svd_fn(a):
    b, c, d = primitives.svd_p.bind(  # f32[3], f32[3,3], f32[3,3]
        a, algorithm=None, compute_uv=True, full_matrices=True, subset_by_index=None
    )
    return c, b, d


@jit("_solve_triangular")
def solve_triangular(a, b):
    c = primitives.triangular_solve_p.bind(  # f32[3,3]
        a, b, conjugate_a=False, left_side=True, lower=False, transpose_a=False, unit_diagonal=False
    )
    return c


def inputs():
    return [
        # a = a: f32[3,3]
        np.array(
            [
                [-0.73645407, -0.16290995, -0.48211932],
                [0.5988462, 0.039722107, -0.29245675],
                [-0.78190845, -0.25719225, 0.008142181],
            ],
            np.float32,
        ),
    ]


def repro(a):
    b, c, d = lu_fn_2(a)  # f32[3,3], f32[3,3], f32[3,3]  jaxscipy_linalg_kalman.py:33
    e, f = qr_fn(a)  # f32[3,3], f32[3,3]  jaxscipy_linalg_kalman.py:34
    g = lax.transpose(a, (1, 0))  # f32[3,3]  jaxscipy_linalg_kalman.py:35
    h = lax.add(a, g)  # f32[3,3]  jaxscipy_linalg_kalman.py:35
    i, j = eigh(h)  # f32[3], f32[3,3]  jaxscipy_linalg_kalman.py:35
    k, l, m = svd_fn(a)  # f32[3,3], f32[3], f32[3,3]  jaxscipy_linalg_kalman.py:36
    n = lax.dot_general(  # f32[3,3]  jaxscipy_linalg_kalman.py:38
        b, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    o = lax.dot_general(  # f32[3,3]  jaxscipy_linalg_kalman.py:38
        n, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.dot_general(  # f32[3,3]  jaxscipy_linalg_kalman.py:39
        e, f, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    q = lax.broadcast_in_dim(i, (1, 3), (1,))  # f32[1,3]  jaxscipy_linalg_kalman.py:40
    r = lax.mul(j, q)  # f32[3,3]  jaxscipy_linalg_kalman.py:40
    s = lax.transpose(j, (1, 0))  # f32[3,3]  jaxscipy_linalg_kalman.py:40
    t = lax.dot_general(  # f32[3,3]  jaxscipy_linalg_kalman.py:40
        r, s, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    u = lax.broadcast_in_dim(l, (1, 3), (1,))  # f32[1,3]  jaxscipy_linalg_kalman.py:41
    v = lax.mul(k, u)  # f32[3,3]  jaxscipy_linalg_kalman.py:41
    w = lax.dot_general(  # f32[3,3]  jaxscipy_linalg_kalman.py:41
        v, m, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    x = solve_triangular(f, a)  # f32[3,3]  jaxscipy_linalg_kalman.py:42
    # result[0], result[1], result[2], result[3], result[4]
    return o, p, t, w, x


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
