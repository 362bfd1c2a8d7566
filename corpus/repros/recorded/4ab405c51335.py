# /// jace-repro
# schema = 1
# name = "smooth"
# origin = "scripts/libraries/jaxscipy_linalg_kalman.py:24 (smooth)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4ab405c513353ac33a99cf83a0614a1a9f17e13e7c2c206587ded2b60bf13f45"
# outputs_sha256 = "f2c30d388d56cbc7ede54317b2a21f7109cd543eb6f89fcb521c4a574157a59e"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""smooth (jaxscipy_linalg_kalman.py:24): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax.control_flow import platform_index_p
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
c64 = np.dtype("complex64")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


C0 = jnp.asarray(np.array([[0.9950208, 0.09933592], [-0.09933592, 0.9850872]], np.float32))
C1 = jnp.asarray(np.array([[0.01, 0.0], [0.0, 0.01]], np.float32))
C2 = jnp.asarray(np.array([[1.0, 0.0]], np.float32))
C3 = jnp.asarray(np.array([[0.1]], np.float32))


@jit("_cholesky")
def cholesky(a):
    b = primitives.cholesky_p.bind(a)  # f32[1,1]
    c = lax.broadcasted_iota(i32, (1, 1), 0)  # i32[1,1]
    d = lax.add(c, np.int32(0))  # i32[1,1]
    e = lax.broadcasted_iota(i32, (1, 1), 1)  # i32[1,1]
    f = lax.ge(d, e)  # bool[1,1]
    g = lax.broadcast_in_dim(np.float32(0.0), (1, 1), ())  # f32[1,1]
    h = lax.select_n(f, g, b)  # f32[1,1]
    return h


@jit("_cho_solve")
def cho_solve(a, b):
    c = primitives.triangular_solve_p.bind(  # f32[1,2]
        a, b, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    d = primitives.triangular_solve_p.bind(  # f32[1,2]
        a, c, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    return d


@jit("_cho_solve")
def cho_solve_2(a, b):
    c = lax.broadcast_in_dim(b, (1, 1), (0,))  # f32[1,1]
    d = primitives.triangular_solve_p.bind(  # f32[1,1]
        a, c, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    e = lax.squeeze(d, (1,))  # f32[1]
    f = lax.broadcast_in_dim(e, (1, 1), (0,))  # f32[1,1]
    g = primitives.triangular_solve_p.bind(  # f32[1,1]
        a, f, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    h = lax.squeeze(g, (1,))  # f32[1]
    return h


def body(a, b, c, d, e, f, g):
    h = lax.dot_general(  # f32[2]  jaxscipy_linalg_kalman.py:15
        a, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    i = lax.dot_general(  # f32[2,2]  jaxscipy_linalg_kalman.py:15
        a, f, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    j = lax.transpose(a, (1, 0))  # f32[2,2]  jaxscipy_linalg_kalman.py:15
    k = lax.dot_general(  # f32[2,2]  jaxscipy_linalg_kalman.py:15
        i, j, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    l = lax.add(k, b)  # f32[2,2]  jaxscipy_linalg_kalman.py:15
    m = lax.dot_general(  # f32[1,2]  jaxscipy_linalg_kalman.py:16
        c, l, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    n = lax.transpose(c, (1, 0))  # f32[2,1]  jaxscipy_linalg_kalman.py:16
    o = lax.dot_general(  # f32[1,1]  jaxscipy_linalg_kalman.py:16
        m, n, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.add(o, d)  # f32[1,1]  jaxscipy_linalg_kalman.py:16
    q = cholesky(p)  # f32[1,1]  jaxscipy_linalg_kalman.py:17
    r = lax.dot_general(  # f32[1,2]  jaxscipy_linalg_kalman.py:18
        c, l, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    s = cho_solve(q, r)  # f32[1,2]  jaxscipy_linalg_kalman.py:18
    t = lax.transpose(s, (1, 0))  # f32[2,1]  jaxscipy_linalg_kalman.py:18
    u = lax.dot_general(  # f32[1]  jaxscipy_linalg_kalman.py:19
        c, h, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    v = lax.sub(g, u)  # f32[1]  jaxscipy_linalg_kalman.py:19
    w = lax.mul(np.float32(-0.5), v)  # f32[1]  jaxscipy_linalg_kalman.py:20
    x = cho_solve_2(q, v)  # f32[1]  jaxscipy_linalg_kalman.py:20
    y = lax.dot_general(  # f32[]  jaxscipy_linalg_kalman.py:20
        w, x, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    z = lax.squeeze(q, (0, 1))  # f32[]  jaxscipy_linalg_kalman.py:20
    aa = lax.log(z)  # f32[]  jaxscipy_linalg_kalman.py:20
    ab = lax.sub(y, aa)  # f32[]  jaxscipy_linalg_kalman.py:20
    ac = lax.dot_general(  # f32[2]  jaxscipy_linalg_kalman.py:21
        t, v, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ad = lax.add(h, ac)  # f32[2]  jaxscipy_linalg_kalman.py:21
    ae = lax.dot_general(  # f32[2,2]  jaxscipy_linalg_kalman.py:21
        t, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    af = lax.dot_general(  # f32[2,2]  jaxscipy_linalg_kalman.py:21
        ae, l, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ag = lax.sub(l, af)  # f32[2,2]  jaxscipy_linalg_kalman.py:21
    return ad, ag, ab


@jit("_schur")
def schur(a):
    b = lax.convert_element_type(a, c64)  # c64[2,2]
    c, d = primitives.schur_p.bind(  # c64[2,2], c64[2,2]
        b, compute_schur_vectors=True, select_callable=None, sort_eig_vals=False
    )
    return c, d


def branch(a, b):
    c = lax.mul(a, b)  # c64[2,2]
    d = lax.reduce_sum(c, axes=(0,))  # c64[2]
    return d


def branch_2(a, b):
    c = lax.broadcasted_iota(i32, (2,), 0)  # i32[2]
    d = lax.broadcasted_iota(i32, (2,), 0)  # i32[2]
    e = lax.lt(c, np.int32(0))  # bool[2]
    f = lax.add(c, np.int32(2))  # i32[2]
    g = lax.select_n(e, c, f)  # i32[2]
    h = lax.lt(d, np.int32(0))  # bool[2]
    i = lax.add(d, np.int32(2))  # i32[2]
    j = lax.select_n(h, d, i)  # i32[2]
    k = lax.broadcast_in_dim(g, (2, 1), (0,))  # i32[2,1]
    l = lax.broadcast_in_dim(j, (2, 1), (0,))  # i32[2,1]
    m = lax.concatenate([k, l], 1)  # i32[2,2]
    n = lax.gather_p.bind(  # c64[2]
        b,
        m,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    return n


@jax.jit
def diagonal(a):
    b = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]
    c = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]
    d = lax.add(b, np.int32(0))  # i32[2,2]
    e = lax.eq(d, c)  # bool[2,2]
    f = lax.convert_element_type(e, c64)  # c64[2,2]
    g = platform_index_p.bind(platforms=(("mosaic",), None))  # i32[]
    (h,) = lax.cond_p.bind(  # c64[2]
        g,
        f,
        a,
        branches=(J(branch, S((2, 2), c64), S((2, 2), c64)), J(branch_2, S((2, 2), c64), S((2, 2), c64))),
        branches_platforms=(("mosaic",), None),
    )
    return h


@jit("_diag")
def diag(a):
    b = diagonal(a)  # c64[2]
    return b


@jit("_where")
def where(a, b, c):
    d = lax.broadcast_in_dim_p.bind(b, broadcast_dimensions=(0, 1), shape=(2, 2), sharding=None)  # c64[2,2]
    e = lax.broadcast_in_dim(c, (2, 2), ())  # c64[2,2]
    f = lax.select_n(a, e, d)  # c64[2,2]
    return f


@jit("_diag")
def diag_2(a):
    b = lax.pad(a, np.complex64(complex(0.0, 0.0)), ((0, 0, 0),))  # c64[2]
    c = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]
    d = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]
    e = lax.add(c, np.int32(0))  # i32[2,2]
    f = lax.eq(e, d)  # bool[2,2]
    g = lax.broadcast_in_dim(b, (2, 1), (0,))  # c64[2,1]
    h = where(f, g, np.complex64(complex(0.0, 0.0)))  # c64[2,2]
    return h


def cond(carry):
    a, b, c = carry
    d = lax.lt(a, b)  # bool[] weak
    return d


def body_2(a, b, c, carry):
    d, e, f = carry
    g = lax.add(d, 1)  # i32[] weak
    h = lax.convert_element_type(a, i32)  # i32[]
    i = lax.convert_element_type(d, i32)  # i32[]
    j = lax.lt(h, np.int32(0))  # bool[]
    k = lax.add(h, np.int32(2))  # i32[]
    l = lax.select_n(j, h, k)  # i32[]
    m = lax.lt(i, np.int32(0))  # bool[]
    n = lax.add(i, np.int32(2))  # i32[]
    o = lax.select_n(m, i, n)  # i32[]
    p = lax.dynamic_slice_p.bind(b, l, o, slice_sizes=(1, 1))  # c64[1,1]
    q = lax.squeeze(p, (0, 1))  # c64[]
    r = lax.convert_element_type(d, i32)  # i32[]
    s = lax.convert_element_type(c, i32)  # i32[]
    t = lax.lt(r, np.int32(0))  # bool[]
    u = lax.add(r, np.int32(2))  # i32[]
    v = lax.select_n(t, r, u)  # i32[]
    w = lax.lt(s, np.int32(0))  # bool[]
    x = lax.add(s, np.int32(2))  # i32[]
    y = lax.select_n(w, s, x)  # i32[]
    z = lax.dynamic_slice_p.bind(b, v, y, slice_sizes=(1, 1))  # c64[1,1]
    aa = lax.squeeze(z, (0, 1))  # c64[]
    ab = lax.mul(q, aa)  # c64[]
    ac = lax.add(f, ab)  # c64[]
    return g, e, ac


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(b, c64)  # c64[]
    e = lax.select_n(a, c, d)  # c64[]
    return e


def body_3(a, b, c, carry):
    d, e, f = carry
    g = lax.add(d, 1)  # i32[] weak
    h = lax.sub(a, 1)  # i32[] weak
    i = lax.sub(h, d)  # i32[] weak
    j = lax.add(i, 1)  # i32[] weak
    _, _, k = lax.while_loop(  # i32[] weak, i32[] weak, c64[]
        cond, functools.partial(body_2, i, f, a), (j, a, np.complex64(complex(0.0, 0.0)))
    )
    l = lax.convert_element_type(i, i32)  # i32[]
    m = lax.convert_element_type(a, i32)  # i32[]
    n = lax.lt(l, np.int32(0))  # bool[]
    o = lax.add(l, np.int32(2))  # i32[]
    p = lax.select_n(n, l, o)  # i32[]
    q = lax.lt(m, np.int32(0))  # bool[]
    r = lax.add(m, np.int32(2))  # i32[]
    s = lax.select_n(q, m, r)  # i32[]
    t = lax.dynamic_slice_p.bind(b, p, s, slice_sizes=(1, 1))  # c64[1,1]
    u = lax.squeeze(t, (0, 1))  # c64[]
    v = lax.eq(u, k)  # bool[]
    w = lax.convert_element_type(i, i32)  # i32[]
    x = lax.convert_element_type(a, i32)  # i32[]
    y = lax.lt(w, np.int32(0))  # bool[]
    z = lax.add(w, np.int32(2))  # i32[]
    aa = lax.select_n(y, w, z)  # i32[]
    ab = lax.lt(x, np.int32(0))  # bool[]
    ac = lax.add(x, np.int32(2))  # i32[]
    ad = lax.select_n(ab, x, ac)  # i32[]
    ae = lax.dynamic_slice_p.bind(b, aa, ad, slice_sizes=(1, 1))  # c64[1,1]
    af = lax.squeeze(ae, (0, 1))  # c64[]
    ag = lax.sub(af, k)  # c64[]
    ah = lax.lt(i, 0)  # bool[] weak
    ai = lax.convert_element_type(i, i32)  # i32[]
    aj = lax.add(ai, np.int32(2))  # i32[]
    ak = lax.select_n(ah, i, aj)  # i32[]
    al = lax.dynamic_slice_p.bind(c, ak, slice_sizes=(1,))  # c64[1]
    am = lax.squeeze(al, (0,))  # c64[]
    an = lax.lt(a, 0)  # bool[] weak
    ao = lax.convert_element_type(a, i32)  # i32[]
    ap = lax.add(ao, np.int32(2))  # i32[]
    aq = lax.select_n(an, a, ap)  # i32[]
    ar = lax.dynamic_slice_p.bind(c, aq, slice_sizes=(1,))  # c64[1]
    at = lax.squeeze(ar, (0,))  # c64[]
    au = lax.add(am, at)  # c64[]
    av = lax.div(ag, au)  # c64[]
    aw = where_2(v, 0.0, av)  # c64[]
    ax = lax.lt(i, 0)  # bool[] weak
    ay = lax.add(i, 2)  # i32[] weak
    az = lax.select_n(ax, i, ay)  # i32[] weak
    ba = lax.lt(a, 0)  # bool[] weak
    bb = lax.add(a, 2)  # i32[] weak
    bc = lax.select_n(ba, a, bb)  # i32[] weak
    bd = lax.convert_element_type(az, i32)  # i32[]
    be = lax.convert_element_type(bc, i32)  # i32[]
    bf = lax.broadcast_in_dim(bd, (1,), ())  # i32[1]
    bg = lax.broadcast_in_dim(be, (1,), ())  # i32[1]
    bh = lax.concatenate([bf, bg], 0)  # i32[2]
    bi = lax.scatter_p.bind(  # c64[2,2]
        f,
        bh,
        aw,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0, 1),
            scatter_dims_to_operand_dims=(0, 1),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    return g, e, bi


def body_4(a, b, carry, rows):
    c, d = carry
    e = lax.add(c, 1)  # i32[] weak
    _, _, f = lax.while_loop(  # i32[] weak, i32[] weak, c64[2,2]
        cond, functools.partial(body_3, c, a, b), (0, c, d)
    )
    return (e, f), None


@jit("_sqrtm_triu")
def sqrtm_triu(a):
    b = diag(a)  # c64[2]
    c = lax.sqrt(b)  # c64[2]
    d = diag_2(c)  # c64[2,2]
    (_, e), _ = lax.scan(functools.partial(body_4, a, c), (0, d), None, length=2)  # i32[] weak, c64[2,2]
    return e


@jit("_sqrtm")
def sqrtm(a):
    b, c = schur(a)  # c64[2,2], c64[2,2]
    d = sqrtm_triu(b)  # c64[2,2]
    e = lax.dot_general(  # c64[2,2]
        c, d, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=c64
    )
    f = lax.transpose(c, (1, 0))  # c64[2,2]
    g = lax.conj(f)  # c64[2,2]
    h = lax.dot_general(  # c64[2,2]
        e, g, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=c64
    )
    return h


def inputs():
    return [
        # a = observations: f32[12,1]
        np.array(
            [
                [0.34558418],
                [0.82161814],
                [0.33043706],
                [-1.3031572],
                [0.9053559],
                [0.44637457],
                [-0.5369532],
                [0.5811181],
                [0.3645724],
                [0.2941325],
                [0.028422242],
                [0.546713],
            ],
            np.float32,
        ),
    ]


def repro(a):
    b = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  jaxscipy_linalg_kalman.py:26
    c = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]  jaxscipy_linalg_kalman.py:26
    d = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]  jaxscipy_linalg_kalman.py:26
    e = lax.add(c, np.int32(0))  # i32[2,2]  jaxscipy_linalg_kalman.py:26
    f = lax.eq(e, d)  # bool[2,2]  jaxscipy_linalg_kalman.py:26
    g = lax.convert_element_type(f, f32)  # f32[2,2]  jaxscipy_linalg_kalman.py:26
    h, i, j = lax.scan_p.bind(  # f32[2], f32[2,2], f32[12]  jaxscipy_linalg_kalman.py:27
        C0,
        C1,
        C2,
        C3,
        b,
        g,
        a,
        jaxpr=J(
            body,
            S((2, 2), f32),
            S((2, 2), f32),
            S((1, 2), f32),
            S((1, 1), f32),
            S((2,), f32),
            S((2, 2), f32),
            S((1,), f32),
        ),
        length=12,
        num_carry=2,
        num_consts=4,
        reverse=False,
        unroll=1,
    )
    k = sqrtm(i)  # c64[2,2]  jaxscipy_linalg_kalman.py:28
    l = lax.real(k)  # f32[2,2]  jaxscipy_linalg_kalman.py:28
    m = lax.reduce_sum(j, axes=(0,))  # f32[]  jaxscipy_linalg_kalman.py:28
    # result[0], result[1], result[2]
    return h, l, m


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
