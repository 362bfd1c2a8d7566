# /// jace-repro
# schema = 1
# name = "predict"
# origin = "scripts/libraries/tinygp_regression.py:26 (predict)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e4e46dc92324630da2e0dc46eb5876429fb1cdcf169c52384718f61f4ad3774e"
# outputs_sha256 = "12821bfab8eac156156d2552c25191376629af2160f60843917e30dd6103cf9b"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""predict (tinygp_regression.py:26): written by jace-repro, needs only jax and numpy."""

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
    return h


@jit("_solve_triangular")
def solve_triangular(a, b):
    c = lax.broadcast_in_dim(b, (15, 1), (0,))  # f32[15,1]
    d = primitives.triangular_solve_p.bind(  # f32[15,1]
        a, c, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    e = lax.squeeze(d, (1,))  # f32[15]
    return e


@jit("_get_alpha")
def get_alpha(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.sub(l, f)  # f32[15]  gp.py:320
    n = solve_triangular(k, m)  # f32[15]  direct.py:70
    return n


def branch(a, b):
    c = lax.mul(a, b)  # f32[15,15]
    d = lax.reduce_sum(c, axes=(0,))  # f32[15]
    return d


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
    return n


@jax.jit
def diagonal(a):
    b = lax.broadcasted_iota(i32, (15, 15), 0)  # i32[15,15]
    c = lax.broadcasted_iota(i32, (15, 15), 1)  # i32[15,15]
    d = lax.add(b, np.int32(0))  # i32[15,15]
    e = lax.eq(d, c)  # bool[15,15]
    f = lax.convert_element_type(e, f32)  # f32[15,15]
    g = platform_index_p.bind(platforms=(("mosaic",), None))  # i32[]
    (h,) = lax.cond_p.bind(  # f32[15]
        g,
        f,
        a,
        branches=(
            J(branch, S((15, 15), f32), S((15, 15), f32)),
            J(branch_2, S((15, 15), f32), S((15, 15), f32)),
        ),
        branches_platforms=(("mosaic",), None),
    )
    return h


@jit("_diag")
def diag(a):
    b = diagonal(a)  # f32[15]
    return b


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.select_n(a, d, b)  # f32[]
    return e


@jit("_compute_log_prob")
def compute_log_prob(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.square(l)  # f32[15]  gp.py:315
    n = lax.reduce_sum(m, axes=(0,))  # f32[]  gp.py:315
    o = lax.mul(np.float32(-0.5), n)  # f32[]  gp.py:315
    p = diag(k)  # f32[15]  direct.py:63
    q = lax.log(p)  # f32[15]  direct.py:63
    r = lax.reduce_sum(q, axes=(0,))  # f32[]  direct.py:62
    s = lax.add(r, np.float32(13.784078))  # f32[]  direct.py:62
    t = lax.sub(o, s)  # f32[]  gp.py:315
    u = lax.is_finite(t)  # bool[]  gp.py:316
    v = where(u, t, -np.inf)  # f32[]  gp.py:316
    return v


@jit("_solve_triangular")
def solve_triangular_2(a, b):
    c = lax.broadcast_in_dim(b, (15, 1), (0,))  # f32[15,1]
    d = primitives.triangular_solve_p.bind(  # f32[15,1]
        a, c, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=False
    )
    e = lax.squeeze(d, (1,))  # f32[15]
    return e


@jit("_condition")
def condition(a, b, c, d, e, f, g, h, i, j, k, l, m):
    n = get_alpha(a, b, c, d, e, f, g, h, i, j, k, l)  # f32[15]  _prebuilt.py:46
    o = compute_log_prob(a, b, c, d, e, f, g, h, i, j, k, n)  # f32[]  _prebuilt.py:46
    p = solve_triangular_2(k, n)  # f32[15]  direct.py:68
    q = lax.broadcast_in_dim(d, (1, 15), (1,))  # f32[1,15]  distance.py:45
    r = lax.broadcast_in_dim(m, (7, 1), (0,))  # f32[7,1]  distance.py:45
    s = lax.sub(r, q)  # f32[7,15]  distance.py:45
    t = lax.abs(s)  # f32[7,15]  distance.py:45
    u = lax.reduce_sum_p.bind(t, axes=(), out_sharding=None)  # f32[7,15]  distance.py:45
    v = lax.div(u, b)  # f32[7,15]  stationary.py:127
    w = lax.mul(np.float32(1.7320508), v)  # f32[7,15]  stationary.py:128
    x = lax.add(np.float32(1.0), w)  # f32[7,15]  stationary.py:129
    y = lax.neg(w)  # f32[7,15]  stationary.py:129
    z = lax.exp(y)  # f32[7,15]  stationary.py:129
    aa = lax.mul(x, z)  # f32[7,15]  stationary.py:129
    ab = lax.mul(a, aa)  # f32[7,15]  base.py:187
    ac = lax.broadcast_in_dim(d, (1, 15), (1,))  # f32[1,15]  distance.py:59
    ad = lax.broadcast_in_dim(m, (7, 1), (0,))  # f32[7,1]  distance.py:59
    ae = lax.sub(ad, ac)  # f32[7,15]  distance.py:59
    af = lax.square(ae)  # f32[7,15]  distance.py:59
    ag = lax.reduce_sum_p.bind(af, axes=(), out_sharding=None)  # f32[7,15]  distance.py:59
    ah = lax.square(c)  # f32[] weak  stationary.py:105
    ai = lax.convert_element_type(ah, f32)  # f32[]  stationary.py:105
    aj = lax.div(ag, ai)  # f32[7,15]  stationary.py:105
    ak = lax.mul(np.float32(-0.5), aj)  # f32[7,15]  stationary.py:106
    al = lax.exp(ak)  # f32[7,15]  stationary.py:106
    am = lax.add(ab, al)  # f32[7,15]  base.py:177
    an = lax.dot_general(am, p, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[7]  base.py:82
    ao = lax.broadcast_in_dim(e, (7,), ())  # f32[7]  gp.py:359
    ap = lax.add(an, ao)  # f32[7]  gp.py:359
    return p, o, ap


@jit("_solve_triangular")
def solve_triangular_3(a, b):
    c = primitives.triangular_solve_p.bind(  # f32[15,7]
        a, b, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    return c


@jit("_solve_triangular")
def solve_triangular_4(a, b):
    c = lax.broadcast_in_dim(b, (7, 15, 1), (0, 1))  # f32[7,15,1]
    d = lax.transpose(c, (1, 2, 0))  # f32[15,1,7]
    e = lax.reshape(d, (15, 7))  # f32[15,7]
    f = primitives.triangular_solve_p.bind(  # f32[15,7]
        a, e, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=False
    )
    g = lax.reshape(f, (15, 1, 7))  # f32[15,1,7]
    h = lax.transpose(g, (2, 0, 1))  # f32[7,15,1]
    i = lax.squeeze(h, (2,))  # f32[7,15]
    return i


@jit("_cholesky")
def cholesky_2(a):
    b = primitives.cholesky_p.bind(a)  # f32[7,7]
    c = lax.broadcasted_iota(i32, (7, 7), 0)  # i32[7,7]
    d = lax.add(c, np.int32(0))  # i32[7,7]
    e = lax.broadcasted_iota(i32, (7, 7), 1)  # i32[7,7]
    f = lax.ge(d, e)  # bool[7,7]
    g = lax.broadcast_in_dim(np.float32(0.0), (7, 7), ())  # f32[7,7]
    h = lax.select_n(f, g, b)  # f32[7,7]
    return h


def inputs():
    return [
        np.float32(0.05040731),  # a = params['amplitude']: f32[]
        np.float32(-0.0059266677),  # b = params['mean']: f32[]
        np.float32(-2.1314805),  # c = params['noise']: f32[]
        np.float32(0.27618608),  # d = params['scale']: f32[]
        np.array([0.0, 0.8333334, 1.6666667, 2.5, 3.3333335, 4.166667, 5.0], np.float32),  # e = at: f32[7]
    ]


def repro(a, b, c, d, e):
    f = lax.exp(a)  # f32[]  tinygp_regression.py:15
    g = lax.exp(d)  # f32[]  tinygp_regression.py:15
    h = lax.exp(c)  # f32[]  tinygp_regression.py:17
    i = lax.broadcast_in_dim(b, (15,), ())  # f32[15]  gp.py:87
    j = lax.broadcast_in_dim(h, (15,), ())  # f32[15]  gp.py:98
    k = lax.sub(C0, C0)  # f32[15]  distance.py:45
    l = lax.abs(k)  # f32[15]  distance.py:45
    m = lax.reduce_sum_p.bind(l, axes=(), out_sharding=None)  # f32[15]  distance.py:45
    n = lax.div(m, g)  # f32[15]  stationary.py:127
    o = lax.mul(np.float32(1.7320508), n)  # f32[15]  stationary.py:128
    p = lax.add(np.float32(1.0), o)  # f32[15]  stationary.py:129
    q = lax.neg(o)  # f32[15]  stationary.py:129
    r = lax.exp(q)  # f32[15]  stationary.py:129
    s = lax.mul(p, r)  # f32[15]  stationary.py:129
    t = lax.mul(f, s)  # f32[15]  base.py:187
    u = lax.sub(C0, C0)  # f32[15]  distance.py:59
    v = lax.square(u)  # f32[15]  distance.py:59
    w = lax.reduce_sum_p.bind(v, axes=(), out_sharding=None)  # f32[15]  distance.py:59
    x = lax.square(2.0)  # f32[] weak  stationary.py:105
    y = lax.convert_element_type(x, f32)  # f32[]  stationary.py:105
    z = lax.div(w, y)  # f32[15]  stationary.py:105
    aa = lax.mul(np.float32(-0.5), z)  # f32[15]  stationary.py:106
    ab = lax.exp(aa)  # f32[15]  stationary.py:106
    ac = lax.add(t, ab)  # f32[15]  base.py:177
    ad = lax.add(ac, j)  # f32[15]  direct.py:49
    ae = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:45
    af = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:45
    ag = lax.sub(af, ae)  # f32[15,15]  distance.py:45
    ah = lax.abs(ag)  # f32[15,15]  distance.py:45
    ai = lax.reduce_sum_p.bind(ah, axes=(), out_sharding=None)  # f32[15,15]  distance.py:45
    aj = lax.div(ai, g)  # f32[15,15]  stationary.py:127
    ak = lax.mul(np.float32(1.7320508), aj)  # f32[15,15]  stationary.py:128
    al = lax.add(np.float32(1.0), ak)  # f32[15,15]  stationary.py:129
    am = lax.neg(ak)  # f32[15,15]  stationary.py:129
    an = lax.exp(am)  # f32[15,15]  stationary.py:129
    ao = lax.mul(al, an)  # f32[15,15]  stationary.py:129
    ap = lax.mul(f, ao)  # f32[15,15]  base.py:187
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
        j,
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
    bn = cholesky(bm)  # f32[15,15]  direct.py:53
    _, _, bo = condition(  # f32[15], f32[], f32[7]  _prebuilt.py:46
        f, g, 2.0, C0, b, i, j, C0, ad, bm, bn, C1, e
    )
    bp = lax.sqrt(np.float32(1.1920929e-07))  # f32[]  gp.py:393
    bq = lax.broadcast_in_dim(bp, (7,), ())  # f32[7]  gp.py:199
    br = lax.broadcast_in_dim(e, (1, 7), (1,))  # f32[1,7]  distance.py:45
    bs = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:45
    bt = lax.sub(bs, br)  # f32[15,7]  distance.py:45
    bu = lax.abs(bt)  # f32[15,7]  distance.py:45
    bv = lax.reduce_sum_p.bind(bu, axes=(), out_sharding=None)  # f32[15,7]  distance.py:45
    bw = lax.div(bv, g)  # f32[15,7]  stationary.py:127
    bx = lax.mul(np.float32(1.7320508), bw)  # f32[15,7]  stationary.py:128
    by = lax.add(np.float32(1.0), bx)  # f32[15,7]  stationary.py:129
    bz = lax.neg(bx)  # f32[15,7]  stationary.py:129
    ca = lax.exp(bz)  # f32[15,7]  stationary.py:129
    cb = lax.mul(by, ca)  # f32[15,7]  stationary.py:129
    cc = lax.mul(f, cb)  # f32[15,7]  base.py:187
    cd = lax.broadcast_in_dim(e, (1, 7), (1,))  # f32[1,7]  distance.py:59
    ce = lax.broadcast_in_dim(C0, (15, 1), (0,))  # f32[15,1]  distance.py:59
    cf = lax.sub(ce, cd)  # f32[15,7]  distance.py:59
    cg = lax.square(cf)  # f32[15,7]  distance.py:59
    ch = lax.reduce_sum_p.bind(cg, axes=(), out_sharding=None)  # f32[15,7]  distance.py:59
    ci = lax.square(2.0)  # f32[] weak  stationary.py:105
    cj = lax.convert_element_type(ci, f32)  # f32[]  stationary.py:105
    ck = lax.div(ch, cj)  # f32[15,7]  stationary.py:105
    cl = lax.mul(np.float32(-0.5), ck)  # f32[15,7]  stationary.py:106
    cm = lax.exp(cl)  # f32[15,7]  stationary.py:106
    cn = lax.add(cc, cm)  # f32[15,7]  base.py:177
    co = lax.broadcast_in_dim(e, (1, 7), (1,))  # f32[1,7]  distance.py:45
    cp = lax.broadcast_in_dim(e, (7, 1), (0,))  # f32[7,1]  distance.py:45
    cq = lax.sub(cp, co)  # f32[7,7]  distance.py:45
    cr = lax.abs(cq)  # f32[7,7]  distance.py:45
    cs = lax.reduce_sum_p.bind(cr, axes=(), out_sharding=None)  # f32[7,7]  distance.py:45
    ct = lax.div(cs, g)  # f32[7,7]  stationary.py:127
    cu = lax.mul(np.float32(1.7320508), ct)  # f32[7,7]  stationary.py:128
    cv = lax.add(np.float32(1.0), cu)  # f32[7,7]  stationary.py:129
    cw = lax.neg(cu)  # f32[7,7]  stationary.py:129
    cx = lax.exp(cw)  # f32[7,7]  stationary.py:129
    cy = lax.mul(cv, cx)  # f32[7,7]  stationary.py:129
    cz = lax.mul(f, cy)  # f32[7,7]  base.py:187
    da = lax.broadcast_in_dim(e, (1, 7), (1,))  # f32[1,7]  distance.py:59
    db = lax.broadcast_in_dim(e, (7, 1), (0,))  # f32[7,1]  distance.py:59
    dc = lax.sub(db, da)  # f32[7,7]  distance.py:59
    dd = lax.square(dc)  # f32[7,7]  distance.py:59
    de = lax.reduce_sum_p.bind(dd, axes=(), out_sharding=None)  # f32[7,7]  distance.py:59
    df = lax.square(2.0)  # f32[] weak  stationary.py:105
    dg = lax.convert_element_type(df, f32)  # f32[]  stationary.py:105
    dh = lax.div(de, dg)  # f32[7,7]  stationary.py:105
    di = lax.mul(np.float32(-0.5), dh)  # f32[7,7]  stationary.py:106
    dj = lax.exp(di)  # f32[7,7]  stationary.py:106
    dk = lax.add(cz, dj)  # f32[7,7]  base.py:177
    dl = lax.broadcasted_iota(i32, (7,), 0)  # i32[7]  noise.py:78
    dm = lax.lt(dl, np.int32(0))  # bool[7]  noise.py:78
    dn = lax.add(dl, np.int32(7))  # i32[7]  noise.py:78
    do = lax.select_n(dm, dl, dn)  # i32[7]  noise.py:78
    dp = lax.lt(dl, np.int32(0))  # bool[7]  noise.py:78
    dq = lax.add(dl, np.int32(7))  # i32[7]  noise.py:78
    dr = lax.select_n(dp, dl, dq)  # i32[7]  noise.py:78
    ds = lax.broadcast_in_dim(do, (7, 1), (0,))  # i32[7,1]  noise.py:78
    dt = lax.broadcast_in_dim(dr, (7, 1), (0,))  # i32[7,1]  noise.py:78
    du = lax.concatenate([ds, dt], 1)  # i32[7,2]  noise.py:78
    dv = lax.scatter_add_p.bind(  # f32[7,7]  noise.py:78
        dk,
        du,
        bq,
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
    dw = solve_triangular_3(bn, cn)  # f32[15,7]  direct.py:70
    dx = lax.transpose(dw, (1, 0))  # f32[7,15]  direct.py:95
    dy = lax.dot_general(  # f32[7,7]  direct.py:95
        dx, dw, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    dz = lax.sub(dv, dy)  # f32[7,7]  direct.py:95
    ea = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:45
    eb = lax.broadcast_in_dim(e, (7, 1), (0,))  # f32[7,1]  distance.py:45
    ec = lax.sub(ea, eb)  # f32[7,15]  distance.py:45
    ed = lax.abs(ec)  # f32[7,15]  distance.py:45
    ee = lax.reduce_sum_p.bind(ed, axes=(), out_sharding=None)  # f32[7,15]  distance.py:45
    ef = lax.div(ee, g)  # f32[7,15]  stationary.py:127
    eg = lax.mul(np.float32(1.7320508), ef)  # f32[7,15]  stationary.py:128
    eh = lax.add(np.float32(1.0), eg)  # f32[7,15]  stationary.py:129
    ei = lax.neg(eg)  # f32[7,15]  stationary.py:129
    ej = lax.exp(ei)  # f32[7,15]  stationary.py:129
    ek = lax.mul(eh, ej)  # f32[7,15]  stationary.py:129
    el = lax.mul(f, ek)  # f32[7,15]  base.py:187
    em = lax.broadcast_in_dim(C0, (1, 15), (1,))  # f32[1,15]  distance.py:59
    en = lax.broadcast_in_dim(e, (7, 1), (0,))  # f32[7,1]  distance.py:59
    eo = lax.sub(em, en)  # f32[7,15]  distance.py:59
    ep = lax.square(eo)  # f32[7,15]  distance.py:59
    eq = lax.reduce_sum_p.bind(ep, axes=(), out_sharding=None)  # f32[7,15]  distance.py:59
    er = lax.square(2.0)  # f32[] weak  stationary.py:105
    es = lax.convert_element_type(er, f32)  # f32[]  stationary.py:105
    et = lax.div(eq, es)  # f32[7,15]  stationary.py:105
    eu = lax.mul(np.float32(-0.5), et)  # f32[7,15]  stationary.py:106
    ev = lax.exp(eu)  # f32[7,15]  stationary.py:106
    ew = lax.add(el, ev)  # f32[7,15]  base.py:177
    ex = solve_triangular_4(bn, ew)  # f32[7,15]  direct.py:70
    ey = lax.sub(e, e)  # f32[7]  distance.py:45
    ez = lax.abs(ey)  # f32[7]  distance.py:45
    fa = lax.reduce_sum_p.bind(ez, axes=(), out_sharding=None)  # f32[7]  distance.py:45
    fb = lax.div(fa, g)  # f32[7]  stationary.py:127
    fc = lax.mul(np.float32(1.7320508), fb)  # f32[7]  stationary.py:128
    fd = lax.add(np.float32(1.0), fc)  # f32[7]  stationary.py:129
    fe = lax.neg(fc)  # f32[7]  stationary.py:129
    ff = lax.exp(fe)  # f32[7]  stationary.py:129
    fg = lax.mul(fd, ff)  # f32[7]  stationary.py:129
    fh = lax.mul(f, fg)  # f32[7]  base.py:187
    fi = lax.sub(e, e)  # f32[7]  distance.py:59
    fj = lax.square(fi)  # f32[7]  distance.py:59
    fk = lax.reduce_sum_p.bind(fj, axes=(), out_sharding=None)  # f32[7]  distance.py:59
    fl = lax.square(2.0)  # f32[] weak  stationary.py:105
    fm = lax.convert_element_type(fl, f32)  # f32[]  stationary.py:105
    fn = lax.div(fk, fm)  # f32[7]  stationary.py:105
    fo = lax.mul(np.float32(-0.5), fn)  # f32[7]  stationary.py:106
    fp = lax.exp(fo)  # f32[7]  stationary.py:106
    fq = lax.add(fh, fp)  # f32[7]  base.py:177
    fr = lax.dot_general(  # f32[7]  base.py:153
        ex, ex, (((1,), (1,)), ((0,), (0,))), preferred_element_type=f32
    )
    fs = lax.sub(fq, fr)  # f32[7]  base.py:153
    ft = lax.add(fs, bq)  # f32[7]  direct.py:49
    _ = cholesky_2(dz)  # f32[7,7]  direct.py:53
    # result[0], result[1]
    return bo, ft


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
