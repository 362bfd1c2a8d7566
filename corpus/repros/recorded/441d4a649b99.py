# /// jace-repro
# schema = 1
# name = "loss_of"
# origin = "scripts/libraries/tinygp_regression.py:20 (loss_of)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "441d4a649b9916d0043a377f5a777e5a331c41b6c7037d7150e39b595aae907f"
# outputs_sha256 = "18216a797d670befed696c6c6005614865080911115c6341ceeabfc1ad38f945"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""loss_of (tinygp_regression.py:20): written by jace-repro, needs only jax and numpy."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax.control_flow import platform_index_p
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
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


C0 = jnp.asarray(
    np.array(
        [
            0.013692501,
            0.082638174,
            0.16792788,
            0.20486762,
            1.3489336,
            2.7181249,
            3.0331788,
            3.1848085,
            3.6474829,
            3.6482773,
            4.0663514,
            4.079268,
            4.287021,
            4.563778,
            4.675362,
        ],
        np.float32,
    ),
)
C1 = jnp.asarray(
    np.array(
        [
            -0.05953467,
            0.028118245,
            0.13550973,
            0.24460061,
            1.0797406,
            0.39807093,
            0.24484795,
            -0.109721854,
            -0.44943535,
            -0.3949341,
            -0.78907436,
            -0.88053477,
            -1.0030595,
            -1.0347502,
            -0.9772951,
        ],
        np.float32,
    ),
)


def update(a, b):
    c = lax.add(a, b)  # f32[]
    return c


@jit("_cholesky")
def cholesky(a):
    b = primitives.cholesky_p.bind(a)  # f32[15,15]
    c = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    d = lax.add(c, np.int32(0))  # i32[15,15]
    e = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    f = lax.ge(d, e)  # bool[15,15]
    g = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    h = lax.select_n(f, g, b)  # f32[15,15]
    i = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    j = lax.add(i, np.int32(0))  # i32[15,15]
    k = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    l = lax.ge(j, k)  # bool[15,15]
    m = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    n = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    o = lax.add(n, np.int32(0))  # i32[15,15]
    p = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    q = lax.eq(o, p)  # bool[15,15]
    r = lax.convert_element_type(q, f32)  # f32[15,15]
    s = lax.add(np.float32(1.0), r)  # f32[15,15]
    t = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    u = lax.add(t, np.int32(0))  # i32[15,15]
    v = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    w = lax.ge(u, v)  # bool[15,15]
    x = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    y = lax.select_n(w, x, h)  # f32[15,15]
    z = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    return y, h, l, m, s, w, z


@jit("_solve_triangular")
def solve_triangular(a, b):
    c = lax.broadcast_in_dim(b, (15, 1), (0,))  # f32[15,1]
    d = primitives.triangular_solve_p.bind(  # f32[15,1]
        a, c, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    e = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    f = lax.add(e, np.int32(0))  # i32[15,15]
    g = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    h = lax.ge(f, g)  # bool[15,15]
    i = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    j = lax.squeeze(d, (1,))  # f32[15]
    return j, h, i, d


@jit("_get_alpha")
def get_alpha(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.sub(l, f)  # f32[15]  gp.py:320
    n, o, p, q = solve_triangular(k, m)  # f32[15], bool[15,15], f32[15,15], f32[15,1]  direct.py:70
    return n, o, p, q


def branch(a, b):
    c = lax.mul(a, b)  # f32[15,15]
    d = lax.reduce_sum(c, axes=(0,))  # f32[15]
    e = lax.broadcast_in_dim(np.int32(0), (15, 2), ())  # i32[15,2]
    return d, a, e


def branch_2(a, b):
    c = lax.broadcasted_iota(i32, (15,), 0)  # i32[15]
    d = lax.broadcasted_iota(i32, (15,), 0)  # i32[15]
    e = lax.lt(c, np.int32(0))  # bool[15]
    f = lax.add(c, np.int32(15))  # i32[15]
    g = lax.select_n(e, c, f)  # i32[15]
    h = lax.lt(d, np.int32(0))  # bool[15]
    i = lax.add(d, np.int32(15))  # i32[15]
    j = lax.select_n(h, d, i)  # i32[15]
    k = lax.broadcast_in_dim(g, (15, 1), (0,))  # i32[15,1]
    l = lax.broadcast_in_dim(j, (15, 1), (0,))  # i32[15,1]
    m = lax.concatenate([k, l], 1)  # i32[15,2]
    n = lax.gather_p.bind(  # f32[15]
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
    o = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    return n, o, m


@jax.jit
def diagonal(a):
    b = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    c = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    d = lax.add(b, np.int32(0))  # i32[15,15]
    e = lax.eq(d, c)  # bool[15,15]
    f = lax.convert_element_type(e, f32)  # f32[15,15]
    g = platform_index_p.bind(platforms=(("mosaic",), None))  # i32[]
    h, i, j = lax.cond_p.bind(  # f32[15], f32[15,15], i32[15,2]
        g,
        f,
        a,
        branches=(
            J(branch, S((15, 15), f32), S((15, 15), f32)),
            J(branch_2, S((15, 15), f32), S((15, 15), f32)),
        ),
        branches_platforms=(("mosaic",), None),
    )
    return h, g, i, j


@jit("_diag")
def diag(a):
    b, c, d, e = diagonal(a)  # f32[15], i32[], f32[15,15], i32[15,2]
    return b, c, d, e


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.select_n(a, d, b)  # f32[]
    return e, np.float32(0.0)


@jit("_compute_log_prob")
def compute_log_prob(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.square(l)  # f32[15]  gp.py:315
    n = lax.mul(np.float32(2.0), l)  # f32[15]  gp.py:315
    o = lax.reduce_sum(m, axes=(0,))  # f32[]  gp.py:315
    p = lax.mul(np.float32(-0.5), o)  # f32[]  gp.py:315
    q, r, s, t = diag(k)  # f32[15], i32[], f32[15,15], i32[15,2]  direct.py:63
    u = lax.log(q)  # f32[15]  direct.py:63
    v = lax.reduce_sum(u, axes=(0,))  # f32[]  direct.py:62
    w = lax.add(v, np.float32(13.784078))  # f32[]  direct.py:62
    x = lax.sub(p, w)  # f32[]  gp.py:315
    y = lax.is_finite(x)  # bool[]  gp.py:316
    z, aa = where(y, x, -np.inf)  # f32[], f32[]  gp.py:316
    return z, n, r, s, t, q, y, aa


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, np.float32(0.0), c)  # f32[]
    return d


def branch_3(a, b, c):
    d = lax.broadcast_in_dim(c, (15, 15), (1,))  # f32[15,15]
    e = lax.mul(a, d)  # f32[15,15]
    return e


def branch_4(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    e = lax.scatter_add_p.bind(  # f32[15,15]
        d,
        b,
        c,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0, 1),
            scatter_dims_to_operand_dims=(0, 1),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    return e


@jax.jit
def diagonal_2(a, b, c, d):
    (e,) = lax.cond_p.bind(  # f32[15,15]
        a,
        b,
        c,
        d,
        branches=(
            J(branch_3, S((15, 15), f32), S((15, 2), i32), S((15,), f32)),
            J(branch_4, S((15, 15), f32), S((15, 2), i32), S((15,), f32)),
        ),
        branches_platforms=(("mosaic",), None),
    )
    return e


@jit("_diag")
def diag_2(a, b, c, d):
    e = diagonal_2(a, b, c, d)  # f32[15,15]
    return e


@jit("_compute_log_prob")
def compute_log_prob_2(a, b, c, d, e, f, g, h):
    i = where_2(f, g, h)  # f32[]  gp.py:316
    j = lax.neg(i)  # f32[]  gp.py:315
    k = lax.broadcast_in_dim(j, (15,), ())  # f32[15]  direct.py:62
    l = lax.div(k, e)  # f32[15]  direct.py:63
    m = diag_2(b, c, d, l)  # f32[15,15]  direct.py:63
    n = lax.mul(np.float32(-0.5), i)  # f32[]  gp.py:315
    o = lax.broadcast_in_dim(n, (15,), ())  # f32[15]  gp.py:315
    p = lax.mul(o, a)  # f32[15]  gp.py:315
    return m, p


@jit("_solve_triangular")
def solve_triangular_2(a, b, c, d, e):
    f = lax.broadcast_in_dim(e, (15, 1), (0,))  # f32[15,1]
    g = primitives.triangular_solve_p.bind(  # f32[15,1]
        d, f, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    h = primitives.triangular_solve_p.bind(  # f32[15,1]
        d, f, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    i = lax.dot_general(h, c, (((1,), (1,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[15,15]
    j = lax.neg(i)  # f32[15,15]
    k = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    l = lax.select_n(a, k, j)  # f32[15,15]
    m = lax.reduce_sum(g, axes=(1,))  # f32[15]
    return l, m


@jit("_get_alpha")
def get_alpha_2(a, b, c, d, e):
    f, g = solve_triangular_2(a, b, c, d, e)  # f32[15,15], f32[15]  direct.py:70
    h = lax.neg(g)  # f32[15]  gp.py:320
    return h, f


@jit("_cholesky")
def cholesky_2(a, b, c, d, e, f, g):
    h = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    i = lax.select_n(e, h, g)  # f32[15,15]
    j = lax.dot_general(i, a, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[15,15]
    k = lax.transpose(j, (1, 0))  # f32[15,15]
    l = lax.div(k, d)  # f32[15,15]
    m = lax.broadcast_in_dim(np.float32(0.0), (15, 15), ())  # f32[15,15]
    n = lax.select_n(b, m, l)  # f32[15,15]
    o = primitives.triangular_solve_p.bind(  # f32[15,15]
        a, n, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    p = primitives.triangular_solve_p.bind(  # f32[15,15]
        a, o, conjugate_a=False, left_side=False, lower=True, transpose_a=False, unit_diagonal=False
    )
    return p


def inputs():
    return [
        np.float32(0.08313234),  # a = params['amplitude']: f32[]
        np.float32(-0.0019224214),  # b = params['mean']: f32[]
        np.float32(-2.0437617),  # c = params['noise']: f32[]
        np.float32(0.22561854),  # d = params['scale']: f32[]
    ]


def repro(a, b, c, d):
    e = lax.exp(a)  # f32[]  tinygp_regression.py:15
    f = lax.exp(d)  # f32[]  tinygp_regression.py:15
    g = lax.exp(c)  # f32[]  tinygp_regression.py:17
    h = lax.broadcast_in_dim(b, (15,), ())  # f32[15]  gp.py:87
    i = lax.broadcast_in_dim(g, (15,), ())  # f32[15]  gp.py:98
    j = lax.sub(C0, C0)  # f32[15]  distance.py:45
    k = lax.abs(j)  # f32[15]  distance.py:45
    l = lax.reduce_sum_p.bind(k, axes=(), out_sharding=None)  # f32[15]  distance.py:45
    m = lax.div(l, f)  # f32[15]  stationary.py:127
    _ = lax.integer_pow(f, -2)  # f32[]  stationary.py:127
    n = lax.mul(np.float32(1.7320508), m)  # f32[15]  stationary.py:128
    o = lax.add(np.float32(1.0), n)  # f32[15]  stationary.py:129
    p = lax.neg(n)  # f32[15]  stationary.py:129
    q = lax.exp(p)  # f32[15]  stationary.py:129
    r = lax.mul(o, q)  # f32[15]  stationary.py:129
    s = lax.mul(e, r)  # f32[15]  base.py:187
    t = lax.sub(C0, C0)  # f32[15]  distance.py:59
    u = lax.square(t)  # f32[15]  distance.py:59
    v = lax.reduce_sum_p.bind(u, axes=(), out_sharding=None)  # f32[15]  distance.py:59
    w = lax.square(2.0)  # f32[] weak  stationary.py:105
    x = lax.convert_element_type(w, f32)  # f32[]  stationary.py:105
    y = lax.div(v, x)  # f32[15]  stationary.py:105
    z = lax.mul(np.float32(-0.5), y)  # f32[15]  stationary.py:106
    aa = lax.exp(z)  # f32[15]  stationary.py:106
    ab = lax.add(s, aa)  # f32[15]  base.py:177
    ac = lax.add(ab, i)  # f32[15]  direct.py:49
    ad = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:45
    ae = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:45
    af = lax.sub(ae, ad)  # f32[15,15]  distance.py:45
    ag = lax.abs(af)  # f32[15,15]  distance.py:45
    ah = lax.reduce_sum_p.bind(ag, axes=(), out_sharding=None)  # f32[15,15]  distance.py:45
    ai = lax.div(ah, f)  # f32[15,15]  stationary.py:127
    aj = lax.integer_pow(f, -2)  # f32[]  stationary.py:127
    ak = lax.mul(np.float32(1.7320508), ai)  # f32[15,15]  stationary.py:128
    al = lax.add(np.float32(1.0), ak)  # f32[15,15]  stationary.py:129
    am = lax.neg(ak)  # f32[15,15]  stationary.py:129
    an = lax.exp(am)  # f32[15,15]  stationary.py:129
    ao = lax.mul(al, an)  # f32[15,15]  stationary.py:129
    ap = lax.mul(e, ao)  # f32[15,15]  base.py:187
    aq = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:59
    ar = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:59
    at = lax.sub(ar, aq)  # f32[15,15]  distance.py:59
    au = lax.square(at)  # f32[15,15]  distance.py:59
    av = lax.reduce_sum_p.bind(au, axes=(), out_sharding=None)  # f32[15,15]  distance.py:59
    aw = lax.square(2.0)  # f32[] weak  stationary.py:105
    ax = lax.convert_element_type(aw, f32)  # f32[]  stationary.py:105
    ay = lax.div(av, ax)  # f32[15,15]  stationary.py:105
    az = lax.mul(np.float32(-0.5), ay)  # f32[15,15]  stationary.py:106
    ba = lax.exp(az)  # f32[15,15]  stationary.py:106
    bb = lax.add(ap, ba)  # f32[15,15]  base.py:177
    bc = lax.broadcasted_iota(i32, (15,), 0)  # i32[15]  noise.py:78
    bd = lax.lt(bc, np.int32(0))  # bool[15]  noise.py:78
    be = lax.add(bc, np.int32(15))  # i32[15]  noise.py:78
    bf = lax.select_n(bd, bc, be)  # i32[15]  noise.py:78
    bg = lax.lt(bc, np.int32(0))  # bool[15]  noise.py:78
    bh = lax.add(bc, np.int32(15))  # i32[15]  noise.py:78
    bi = lax.select_n(bg, bc, bh)  # i32[15]  noise.py:78
    bj = lax.broadcast_in_dim(bf, (15, 1), (0,))  # i32[15,1]  noise.py:78
    bk = lax.broadcast_in_dim(bi, (15, 1), (0,))  # i32[15,1]  noise.py:78
    bl = lax.concatenate([bj, bk], 1)  # i32[15,2]  noise.py:78
    bm = lax.scatter_add_p.bind(  # f32[15,15]  noise.py:78
        bb,
        bl,
        i,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0, 1),
            scatter_dims_to_operand_dims=(0, 1),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    # f32[15,15], f32[15,15], bool[15,15], f32[15,15], f32[15,15], bool[15,15], f32[15,15]  direct.py:53
    bn, bo, bp, bq, br, bs, bt = cholesky(
        bm
    )
    bu, bv, bw, bx = get_alpha(  # f32[15], bool[15,15], f32[15,15], f32[15,1]  _prebuilt.py:46
        e, f, 2.0, C0, b, h, i, C0, ac, bm, bn, C1
    )
    # f32[], f32[15], i32[], f32[15,15], i32[15,2], f32[15], bool[], f32[]  _prebuilt.py:46
    by, bz, ca, cb, cc, cd, ce, cf = compute_log_prob(
        e, f, 2.0, C0, b, h, i, C0, ac, bm, bn, bu
    )
    cg = lax.neg(by)  # f32[]  tinygp_regression.py:23
    ch = lax.neg(np.float32(1.0))  # f32[]  tinygp_regression.py:23
    ci, cj = compute_log_prob_2(bz, ca, cb, cc, cd, ce, cf, ch)  # f32[15,15], f32[15]  _prebuilt.py:46
    ck, cl = get_alpha_2(bv, bw, bx, bn, cj)  # f32[15], f32[15,15]  _prebuilt.py:46
    cm = primitives.add_jaxvals_p.bind(ci, cl)  # f32[15,15]  _prebuilt.py:46
    cn = cholesky_2(bo, bp, bq, br, bs, bt, cm)  # f32[15,15]  direct.py:53
    co = lax.gather_p.bind(  # f32[15]  noise.py:78
        cn,
        bl,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=0,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    cp = lax.mul(e, cn)  # f32[15,15]  base.py:187
    cq = lax.mul(cn, ao)  # f32[15,15]  base.py:187
    cr = lax.reduce_sum(cq, axes=(0, 1))  # f32[]  base.py:187
    cs = lax.mul(al, cp)  # f32[15,15]  stationary.py:129
    ct = lax.mul(cp, an)  # f32[15,15]  stationary.py:129
    cu = lax.mul(cs, an)  # f32[15,15]  stationary.py:129
    cv = lax.neg(cu)  # f32[15,15]  stationary.py:129
    cw = primitives.add_jaxvals_p.bind(ct, cv)  # f32[15,15]  stationary.py:129
    cx = lax.mul(np.float32(1.7320508), cw)  # f32[15,15]  stationary.py:128
    cy = lax.mul(cx, aj)  # f32[15,15]  stationary.py:127
    cz = lax.mul(cy, ah)  # f32[15,15]  stationary.py:127
    da = lax.reduce_sum(cz, axes=(0, 1))  # f32[]  stationary.py:127
    db = lax.neg(da)  # f32[]  stationary.py:127
    dc = lax.reduce_sum(co, axes=(0,))  # f32[]  gp.py:98
    dd = lax.reduce_sum(ck, axes=(0,))  # f32[]  gp.py:87
    de = lax.mul(dc, g)  # f32[]  tinygp_regression.py:17
    df = lax.mul(db, f)  # f32[]  tinygp_regression.py:15
    dg = lax.mul(cr, e)  # f32[]  tinygp_regression.py:15
    # result[0], result[1]['amplitude'], result[1]['mean'], result[1]['noise'], result[1]['scale']
    return cg, dg, dd, de, df


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
