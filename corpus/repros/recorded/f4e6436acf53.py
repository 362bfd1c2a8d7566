# /// jace-repro
# schema = 1
# name = "loss_of"
# origin = "scripts/libraries/tinygp_regression.py:20 (loss_of)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f4e6436acf538f45ad34f2050b53385288dd40e12d6829690087358e434d994d"
# outputs_sha256 = "1fda0a75aecc258dcf251485c621ef4caea114894476cadc308351f957ee673b"
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
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

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
    m = lax.convert_element_type(f, f32)  # f32[15]  gp.py:320
    n = lax.sub(l, m)  # f32[15]  gp.py:320
    o, p, q, r = solve_triangular(k, n)  # f32[15], bool[15,15], f32[15,15], f32[15,1]  direct.py:70
    return o, p, q, r


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
    i = lax.convert_element_type_p.bind(  # f32[15] weak  gp.py:320
        h, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None)), weak_type=True
    )
    return i, f


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
        0.1,  # a = params['amplitude']: f32[] weak
        0.0,  # b = params['mean']: f32[] weak
        -2.0,  # c = params['noise']: f32[] weak
        0.2,  # d = params['scale']: f32[] weak
    ]


def repro(a, b, c, d):
    e = lax.exp(a)  # f32[] weak  tinygp_regression.py:15
    f = lax.exp(d)  # f32[] weak  tinygp_regression.py:15
    g = lax.exp(c)  # f32[] weak  tinygp_regression.py:17
    h = lax.broadcast_in_dim(b, (15,), ())  # f32[15] weak  gp.py:87
    i = lax.broadcast_in_dim(g, (15,), ())  # f32[15] weak  gp.py:98
    j = lax.sub(C0, C0)  # f32[15]  distance.py:45
    k = lax.abs(j)  # f32[15]  distance.py:45
    l = lax.reduce_sum_p.bind(k, axes=(), out_sharding=None)  # f32[15]  distance.py:45
    m = lax.convert_element_type(f, f32)  # f32[]  stationary.py:127
    n = lax.div(l, m)  # f32[15]  stationary.py:127
    _ = lax.integer_pow(m, -2)  # f32[]  stationary.py:127
    o = lax.mul(np.float32(1.7320508), n)  # f32[15]  stationary.py:128
    p = lax.add(np.float32(1.0), o)  # f32[15]  stationary.py:129
    q = lax.neg(o)  # f32[15]  stationary.py:129
    r = lax.exp(q)  # f32[15]  stationary.py:129
    s = lax.mul(p, r)  # f32[15]  stationary.py:129
    t = lax.convert_element_type(e, f32)  # f32[]  base.py:187
    u = lax.mul(t, s)  # f32[15]  base.py:187
    v = lax.sub(C0, C0)  # f32[15]  distance.py:59
    w = lax.square(v)  # f32[15]  distance.py:59
    x = lax.reduce_sum_p.bind(w, axes=(), out_sharding=None)  # f32[15]  distance.py:59
    y = lax.square(2.0)  # f32[] weak  stationary.py:105
    z = lax.convert_element_type(y, f32)  # f32[]  stationary.py:105
    aa = lax.div(x, z)  # f32[15]  stationary.py:105
    ab = lax.mul(np.float32(-0.5), aa)  # f32[15]  stationary.py:106
    ac = lax.exp(ab)  # f32[15]  stationary.py:106
    ad = lax.add(u, ac)  # f32[15]  base.py:177
    ae = lax.convert_element_type(i, f32)  # f32[15]  direct.py:49
    af = lax.add(ad, ae)  # f32[15]  direct.py:49
    ag = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:45
    ah = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:45
    ai = lax.sub(ah, ag)  # f32[15,15]  distance.py:45
    aj = lax.abs(ai)  # f32[15,15]  distance.py:45
    ak = lax.reduce_sum_p.bind(aj, axes=(), out_sharding=None)  # f32[15,15]  distance.py:45
    al = lax.convert_element_type(f, f32)  # f32[]  stationary.py:127
    am = lax.div(ak, al)  # f32[15,15]  stationary.py:127
    an = lax.integer_pow(al, -2)  # f32[]  stationary.py:127
    ao = lax.mul(np.float32(1.7320508), am)  # f32[15,15]  stationary.py:128
    ap = lax.add(np.float32(1.0), ao)  # f32[15,15]  stationary.py:129
    aq = lax.neg(ao)  # f32[15,15]  stationary.py:129
    ar = lax.exp(aq)  # f32[15,15]  stationary.py:129
    at = lax.mul(ap, ar)  # f32[15,15]  stationary.py:129
    au = lax.convert_element_type(e, f32)  # f32[]  base.py:187
    av = lax.mul(au, at)  # f32[15,15]  base.py:187
    aw = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:59
    ax = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:59
    ay = lax.sub(ax, aw)  # f32[15,15]  distance.py:59
    az = lax.square(ay)  # f32[15,15]  distance.py:59
    ba = lax.reduce_sum_p.bind(az, axes=(), out_sharding=None)  # f32[15,15]  distance.py:59
    bb = lax.square(2.0)  # f32[] weak  stationary.py:105
    bc = lax.convert_element_type(bb, f32)  # f32[]  stationary.py:105
    bd = lax.div(ba, bc)  # f32[15,15]  stationary.py:105
    be = lax.mul(np.float32(-0.5), bd)  # f32[15,15]  stationary.py:106
    bf = lax.exp(be)  # f32[15,15]  stationary.py:106
    bg = lax.add(av, bf)  # f32[15,15]  base.py:177
    bh = lax.broadcasted_iota(i32, (15,), 0)  # i32[15]  noise.py:78
    bi = lax.lt(bh, np.int32(0))  # bool[15]  noise.py:78
    bj = lax.add(bh, np.int32(15))  # i32[15]  noise.py:78
    bk = lax.select_n(bi, bh, bj)  # i32[15]  noise.py:78
    bl = lax.lt(bh, np.int32(0))  # bool[15]  noise.py:78
    bm = lax.add(bh, np.int32(15))  # i32[15]  noise.py:78
    bn = lax.select_n(bl, bh, bm)  # i32[15]  noise.py:78
    bo = lax.broadcast_in_dim(bk, (15, 1), (0,))  # i32[15,1]  noise.py:78
    bp = lax.broadcast_in_dim(bn, (15, 1), (0,))  # i32[15,1]  noise.py:78
    bq = lax.concatenate([bo, bp], 1)  # i32[15,2]  noise.py:78
    br = lax.convert_element_type(i, f32)  # f32[15]  noise.py:78
    bs = lax.scatter_add_p.bind(  # f32[15,15]  noise.py:78
        bg,
        bq,
        br,
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
    bt, bu, bv, bw, bx, by, bz = cholesky(
        bs
    )
    ca, cb, cc, cd = get_alpha(  # f32[15], bool[15,15], f32[15,15], f32[15,1]  _prebuilt.py:46
        e, f, 2.0, C0, b, h, i, C0, af, bs, bt, C1
    )
    # f32[], f32[15], i32[], f32[15,15], i32[15,2], f32[15], bool[], f32[]  _prebuilt.py:46
    ce, cf, cg, ch, ci, cj, ck, cl = compute_log_prob(
        e, f, 2.0, C0, b, h, i, C0, af, bs, bt, ca
    )
    cm = lax.neg(ce)  # f32[]  tinygp_regression.py:23
    cn = lax.neg(np.float32(1.0))  # f32[]  tinygp_regression.py:23
    co, cp = compute_log_prob_2(cf, cg, ch, ci, cj, ck, cl, cn)  # f32[15,15], f32[15]  _prebuilt.py:46
    cq, cr = get_alpha_2(cb, cc, cd, bt, cp)  # f32[15] weak, f32[15,15]  _prebuilt.py:46
    cs = primitives.add_jaxvals_p.bind(co, cr)  # f32[15,15]  _prebuilt.py:46
    ct = cholesky_2(bu, bv, bw, bx, by, bz, cs)  # f32[15,15]  direct.py:53
    cu = lax.gather_p.bind(  # f32[15]  noise.py:78
        ct,
        bq,
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
    cv = lax.convert_element_type_p.bind(  # f32[15] weak  noise.py:78
        cu, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None)), weak_type=True
    )
    cw = lax.mul(au, ct)  # f32[15,15]  base.py:187
    cx = lax.mul(ct, at)  # f32[15,15]  base.py:187
    cy = lax.reduce_sum(cx, axes=(0, 1))  # f32[]  base.py:187
    cz = lax.convert_element_type_p.bind(  # f32[] weak  base.py:187
        cy, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    da = lax.mul(ap, cw)  # f32[15,15]  stationary.py:129
    db = lax.mul(cw, ar)  # f32[15,15]  stationary.py:129
    dc = lax.mul(da, ar)  # f32[15,15]  stationary.py:129
    dd = lax.neg(dc)  # f32[15,15]  stationary.py:129
    de = primitives.add_jaxvals_p.bind(db, dd)  # f32[15,15]  stationary.py:129
    df = lax.mul(np.float32(1.7320508), de)  # f32[15,15]  stationary.py:128
    dg = lax.mul(df, an)  # f32[15,15]  stationary.py:127
    dh = lax.mul(dg, ak)  # f32[15,15]  stationary.py:127
    di = lax.reduce_sum(dh, axes=(0, 1))  # f32[]  stationary.py:127
    dj = lax.neg(di)  # f32[]  stationary.py:127
    dk = lax.convert_element_type_p.bind(  # f32[] weak  stationary.py:127
        dj, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    dl = lax.reduce_sum(cv, axes=(0,))  # f32[] weak  gp.py:98
    dm = lax.reduce_sum(cq, axes=(0,))  # f32[] weak  gp.py:87
    dn = lax.mul(dl, g)  # f32[] weak  tinygp_regression.py:17
    do = lax.mul(dk, f)  # f32[] weak  tinygp_regression.py:15
    dp = lax.mul(cz, e)  # f32[] weak  tinygp_regression.py:15
    # result[0], result[1]['amplitude'], result[1]['mean'], result[1]['noise'], result[1]['scale']
    return cm, dp, dm, dn, do


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
