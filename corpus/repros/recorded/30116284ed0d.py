# /// jace-repro
# schema = 1
# name = "tell"
# origin = "base.py:124 (tell)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "30116284ed0ddef795b1e906f94b9876e4d808dfa5d0940712785afb27fd9aaa"
# outputs_sha256 = "62ebcc97b65b14a43edf984fdd1cc40fb47aa260d1baa3876e7d3302b58345c2"
# sidecar_sha256 = "c5e70c34e6fae325929823b04e4ec6474a047667b83c72bfa45254207439a789"
# self_check = "exact"
#
# [static]
# self = "<evosax.algorithms.distribution_based.cma_es.CMA_ES object>"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""tell (base.py:124): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
bool_ = np.dtype("bool")
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


SIDECAR_SHA256 = "c5e70c34e6fae325929823b04e4ec6474a047667b83c72bfa45254207439a789"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = np.array([True], np.bool_)


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (8,), ())  # f32[8]
    f = lax.select_n(a, c, e)  # f32[8]
    return f


@jit("_where")
def where_2(a, b, c):
    d = lax.broadcast_in_dim_p.bind(a, broadcast_dimensions=(0,), shape=(3,), sharding=None)  # bool[3]
    e = lax.select_n(d, c, b)  # f32[3]
    return e


@jit("_where")
def where_3(a, b, c):
    d = lax.select_n(a, c, b)  # f32[]
    return d


@jax.jit
def norm(a):
    b = lax.mul(a, a)  # f32[3]
    c = lax.reduce_sum(b, axes=(0,))  # f32[]
    d = lax.sqrt(c)  # f32[]
    return d


@jax.jit
def cumsum(a):
    b = lax.convert_element_type(a, i32)  # i32[8]
    c = lax.cumsum(b, axis=0)  # i32[8]
    return c


@jax.jit
def clip(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.max(c, a)  # i32[8]
    return d


def update(a, b):
    c = lax.add(a, b)  # i32[]
    return c


@jax.jit
def cumsum_2(a):
    b = lax.cumsum(a, axis=0)  # i32[9]
    return b


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # i32[9]
    return d


@jax.jit
def floor_divide(a, b):
    c = lax.div(a, b)  # i32[9]
    d = lax.sign(a)  # i32[9]
    e = lax.sign(b)  # i32[]
    f = lax.ne(d, e)  # bool[9]
    g = lax.rem(a, b)  # i32[9]
    h = lax.ne(g, np.int32(0))  # bool[9]
    i = lax.bitwise_and(f, h)  # bool[9]
    j = lax.sub(c, np.int32(1))  # i32[9]
    k = where_4(i, j, c)  # i32[9]
    return k


@jit("_where")
def where_5(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.eq(c, np.int32(0))  # bool[]
    e = where_5(d, np.int32(1), c)  # i32[]
    f = lax.rem(a, e)  # i32[9]
    g = lax.ne(f, np.int32(0))  # bool[9]
    h = lax.lt(f, np.int32(0))  # bool[9]
    i = lax.lt(e, np.int32(0))  # bool[]
    j = lax.ne(h, i)  # bool[9]
    k = lax.bitwise_and(j, g)  # bool[9]
    l = lax.add(f, e)  # i32[9]
    m = lax.select_n(k, f, l)  # i32[9]
    return m


@jit("_where")
def where_6(a, b, c):
    d = lax.convert_element_type(b, i32)  # i32[]
    e = lax.broadcast_in_dim(d, (9,), ())  # i32[9]
    f = lax.select_n(a, c, e)  # i32[9]
    return f


def branch(a, b):
    c = lax.broadcasted_iota(i32, (8,), 0)  # i32[8]
    d, e = lax.sort_p.bind(b, c, dimension=0, is_stable=True, num_keys=1)  # f32[8], i32[8]
    f = lax.broadcast_in_dim(np.int32(0), (8,), ())  # i32[8]
    g = lax.broadcasted_iota(i32, (8,), 0)  # i32[8]
    h = lax.lt(e, np.int32(0))  # bool[8]
    i = lax.add(e, np.int32(8))  # i32[8]
    j = lax.select_n(h, e, i)  # i32[8]
    k = lax.broadcast_in_dim(j, (8, 1), (0,))  # i32[8,1]
    l = lax.scatter_p.bind(  # i32[8]
        f,
        k,
        g,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=None,
    )
    m = lax.slice(d, (1,), (8,))  # f32[7]
    n = lax.slice(d, (0,), (7,))  # f32[7]
    o = lax.ne(m, n)  # bool[7]
    p = lax.concatenate([a, o], 0)  # bool[8]
    q = cumsum(p)  # i32[8]
    r = lax.lt(l, np.int32(0))  # bool[8]
    s = lax.add(l, np.int32(8))  # i32[8]
    t = lax.select_n(r, l, s)  # i32[8]
    u = lax.broadcast_in_dim(t, (8, 1), (0,))  # i32[8,1]
    v = lax.gather_p.bind(  # i32[8]
        q,
        u,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    w = cumsum(p)  # i32[8]
    x = lax.broadcast_in_dim(np.int32(0), (9,), ())  # i32[9]
    y = clip(w, 0)  # i32[8]
    z = lax.lt(y, np.int32(0))  # bool[8]
    aa = lax.add(y, np.int32(9))  # i32[8]
    ab = lax.select_n(z, y, aa)  # i32[8]
    ac = lax.broadcast_in_dim(ab, (8, 1), (0,))  # i32[8,1]
    ad = lax.broadcast_in_dim(np.int32(1), (8,), ())  # i32[8]
    ae = lax.scatter_add_p.bind(  # i32[9]
        x,
        ac,
        ad,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), i32), S((), i32)).jaxpr,
    )
    af = cumsum_2(ae)  # i32[9]
    ag = floor_divide(af, np.int32(1))  # i32[9]
    ah = remainder(ag, 8)  # i32[9]
    ai = lax.broadcasted_iota(i32, (9,), 0)  # i32[9]
    aj = lax.convert_element_type(p, i32)  # i32[8]
    ak = lax.reduce_sum(aj, axes=(0,))  # i32[]
    al = lax.ge(ai, ak)  # bool[9]
    am = where_6(al, 8, ah)  # i32[9]
    an = lax.convert_element_type(am, f32)  # f32[9]
    ao = lax.lt(v, np.int32(0))  # bool[8]
    ap = lax.add(v, np.int32(9))  # i32[8]
    aq = lax.select_n(ao, v, ap)  # i32[8]
    ar = lax.broadcast_in_dim(aq, (8, 1), (0,))  # i32[8,1]
    at = lax.gather_p.bind(  # f32[8]
        an,
        ar,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    au = lax.sub(v, np.int32(1))  # i32[8]
    av = lax.lt(au, np.int32(0))  # bool[8]
    aw = lax.add(au, np.int32(9))  # i32[8]
    ax = lax.select_n(av, au, aw)  # i32[8]
    ay = lax.broadcast_in_dim(ax, (8, 1), (0,))  # i32[8,1]
    az = lax.gather_p.bind(  # f32[8]
        an,
        ay,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    ba = lax.add(at, az)  # f32[8]
    bb = lax.add(ba, np.float32(1.0))  # f32[8]
    bc = lax.mul(np.float32(0.5), bb)  # f32[8]
    return bc


def branch_2(a, b):
    c = lax.broadcast_in_dim(np.float32(np.nan), (8,), ())  # f32[8]
    return c


@jax.jit
def rankdata(a):
    b = lax.ne(a, a)  # bool[8]
    c = lax.reduce_or(b, axes=(0,))  # bool[]
    d = lax.convert_element_type(c, i32)  # i32[]
    (e,) = lax.cond_p.bind(  # f32[8]
        d,
        C0,
        a,
        branches=(J(branch, S((1,), bool_), S((8,), f32)), J(branch_2, S((1,), bool_), S((8,), f32))),
    )
    return e


@jax.jit
def rankdata_2(a):
    b = rankdata(a)  # f32[8]
    return b


@jit("_where")
def where_7(a, b, c):
    d = lax.broadcast_in_dim_p.bind(a, broadcast_dimensions=(0,), shape=(8,), sharding=None)  # bool[8]
    e = lax.select_n(d, c, b)  # f32[8]
    return e


@jax.jit
def clip_2(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.max(d, a)  # f32[]
    f = lax.convert_element_type(b, f32)  # f32[]
    g = lax.min(f, e)  # f32[]
    return g


@jax.jit
def clip_3(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.max(c, a)  # f32[8]
    return d


def inputs():
    return [
        # a = key: key<fry>[]
        jax.random.wrap_key_data(np.array([2839387376, 2467677468], np.uint32), impl="threefry2x32"),
        ARRAYS["x1"],  # b = population: f32[8,3]
        # c = fitness: f32[8]
        np.array(
            [2.6645226, 0.75766766, 1.2769927, 3.1729631, 0.19159825, 5.0255327, 0.9539671, 0.27304354],
            np.float32,
        ),
        np.array([-0.3220052, 1.3303299, 0.81223685], np.float32),  # d = state.best_solution: f32[3]
        np.float32(1.4626322),  # e = state.best_fitness: f32[]
        1,  # f = state.generation_counter: i32[] weak
        np.array([0.2455142, 0.30619395, 0.4994495], np.float32),  # g = state.mean: f32[3]
        np.float32(0.8670929),  # h = state.std: f32[]
        np.array([0.32636893, 0.4070322, 0.6639322], np.float32),  # i = state.p_std: f32[3]
        np.array([0.35497606, 0.4427097, 0.72212774], np.float32),  # j = state.p_c: f32[3]
        # k = state.C: f32[3,3]
        np.array(
            [
                [0.8537893, -0.16801003, -0.038169947],
                [-0.16801003, 0.92152816, 0.033724606],
                [-0.038169947, 0.033724606, 0.9971758],
            ],
            np.float32,
        ),
        # l = state.B: f32[3,3]
        np.array(
            [
                [0.7762455, -0.2875744, -0.5610204],
                [0.6297238, 0.39582556, 0.66840875],
                [0.029848969, -0.87213707, 0.48835024],
            ],
            np.float32,
        ),
        np.array([0.84618235, 0.9845221, 1.0426816], np.float32),  # m = state.D: f32[3]
        1.0,  # n = params.std_init: f32[] weak
        0.0,  # o = params.std_min: f32[] weak
        100000000.0,  # p = params.std_max: f32[] weak
        # q = params.weights: f32[8]
        np.array(
            [
                0.5299302,
                0.28571427,
                0.14285713,
                0.041498397,
                -0.17399585,
                -0.47508773,
                -0.7296574,
                -0.95017546,
            ],
            np.float32,
        ),
        np.float32(2.600179),  # r = params.mu_eff: f32[]
        1.0,  # s = params.c_mean: f32[] weak
        np.float32(0.43397182),  # t = params.c_std: f32[]
        np.float32(1.4339719),  # u = params.d_std: f32[]
        np.float32(0.5572511),  # v = params.c_c: f32[]
        np.float32(0.094830856),  # w = params.c_1: f32[]
        np.float32(0.07135953),  # x = params.c_mu: f32[]
        1.5968775,  # y = params.chi_n: f32[] weak
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y):
    # static: self = <evosax.algorithms.distribution_based.cma_es.CMA_ES object>
    z = lax.ne(c, c)  # bool[8]  base.py:211
    aa = where(z, np.inf, c)  # f32[8]  base.py:211
    ab = lax.argmin(aa, 0, i32)  # i32[]  base.py:212
    ac = lax.lt(ab, np.int32(0))  # bool[]  base.py:213
    ad = lax.add(ab, np.int32(8))  # i32[]  base.py:213
    ae = lax.select_n(ac, ab, ad)  # i32[]  base.py:213
    af = lax.lt(np.int32(0), np.int32(0))  # bool[]  base.py:213
    ag = lax.add(np.int32(0), np.int32(3))  # i32[]  base.py:213
    ah = lax.select_n(af, np.int32(0), ag)  # i32[]  base.py:213
    ai = lax.dynamic_slice_p.bind(b, ae, ah, slice_sizes=(1, 3))  # f32[1,3]  base.py:213
    aj = lax.squeeze(ai, (0,))  # f32[3]  base.py:213
    ak = lax.lt(ab, np.int32(0))  # bool[]  base.py:214
    al = lax.add(ab, np.int32(8))  # i32[]  base.py:214
    am = lax.select_n(ak, ab, al)  # i32[]  base.py:214
    an = lax.dynamic_slice_p.bind(aa, am, slice_sizes=(1,))  # f32[1]  base.py:214
    ao = lax.squeeze(an, (0,))  # f32[]  base.py:214
    ap = lax.lt(ao, e)  # bool[]  base.py:216
    aq = lax.broadcast_in_dim(ap, (1,), ())  # bool[1]  base.py:218
    ar = where_2(aq, aj, d)  # f32[3]  base.py:217
    at = where_3(ap, ao, e)  # f32[]  base.py:222
    au = lax.argmin(c, 0, i32)  # i32[]  base.py:43
    av = lax.lt(au, np.int32(0))  # bool[]  base.py:46
    aw = lax.add(au, np.int32(8))  # i32[]  base.py:46
    ax = lax.select_n(av, au, aw)  # i32[]  base.py:46
    ay = lax.dynamic_slice_p.bind(c, ax, slice_sizes=(1,))  # f32[1]  base.py:46
    az = lax.squeeze(ay, (0,))  # f32[]  base.py:46
    ba = lax.lt(au, np.int32(0))  # bool[]  base.py:47
    bb = lax.add(au, np.int32(8))  # i32[]  base.py:47
    bc = lax.select_n(ba, au, bb)  # i32[]  base.py:47
    bd = lax.lt(np.int32(0), np.int32(0))  # bool[]  base.py:47
    be = lax.add(np.int32(0), np.int32(3))  # i32[]  base.py:47
    bf = lax.select_n(bd, np.int32(0), be)  # i32[]  base.py:47
    bg = lax.dynamic_slice_p.bind(b, bc, bf, slice_sizes=(1, 3))  # f32[1,3]  base.py:47
    bh = lax.squeeze(bg, (0,))  # f32[3]  base.py:47
    bi = norm(ar)  # f32[]  base.py:50
    bj = norm(g)  # f32[]  base.py:42
    bk = lax.ne(c, c)  # bool[8]  fitness_shaping.py:73
    bl = where(bk, np.inf, c)  # f32[8]  fitness_shaping.py:73
    bm = rankdata_2(bl)  # f32[8]  fitness_shaping.py:74
    bn = lax.sub(bm, np.float32(1.0))  # f32[8]  fitness_shaping.py:74
    bo = lax.convert_element_type(bn, i32)  # i32[8]  fitness_shaping.py:93
    bp = lax.lt(bo, np.int32(0))  # bool[8]  fitness_shaping.py:93
    bq = lax.add(bo, np.int32(8))  # i32[8]  fitness_shaping.py:93
    br = lax.select_n(bp, bo, bq)  # i32[8]  fitness_shaping.py:93
    bs = lax.broadcast_in_dim(br, (8, 1), (0,))  # i32[8,1]  fitness_shaping.py:93
    bt = lax.gather_p.bind(  # f32[8]  fitness_shaping.py:93
        q,
        bs,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    bu = lax.ne(c, c)  # bool[8]  fitness_shaping.py:94
    bv = lax.reduce_and(bu, axes=(0,))  # bool[]  fitness_shaping.py:94
    bw = lax.broadcast_in_dim(bv, (1,), ())  # bool[1]  fitness_shaping.py:94
    bx = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]  fitness_shaping.py:95
    by = where_7(bw, bx, bt)  # f32[8]  fitness_shaping.py:95
    bz = lax.broadcast_in_dim(g, (1, 3), (1,))  # f32[1,3]  cma_es.py:222
    ca = lax.sub(b, bz)  # f32[8,3]  cma_es.py:222
    cb = lax.div(ca, h)  # f32[8,3]  cma_es.py:222
    cc = lax.lt(by, np.float32(0.0))  # bool[8]  cma_es.py:223
    cd = where(cc, 0.0, by)  # f32[8]  cma_es.py:223
    ce = lax.dot_general(  # f32[3]  cma_es.py:223
        cd, cb, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    cf = lax.convert_element_type(s, f32)  # f32[]  cma_es.py:224
    cg = lax.mul(cf, h)  # f32[]  cma_es.py:224
    ch = lax.mul(cg, ce)  # f32[3]  cma_es.py:224
    ci = lax.add(g, ch)  # f32[3]  cma_es.py:224
    cj = lax.transpose(l, (1, 0))  # f32[3,3]  cma_es.py:193
    ck = lax.dot_general(  # f32[3]  cma_es.py:193
        cj, ce, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    cl = lax.div(ck, m)  # f32[3]  cma_es.py:193
    cm = lax.dot_general(l, cl, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[3]  cma_es.py:193
    cn = lax.sub(np.float32(1.0), t)  # f32[]  cma_es.py:230
    co = lax.mul(cn, i)  # f32[3]  cma_es.py:230
    cp = lax.sub(np.float32(2.0), t)  # f32[]  cma_es.py:231
    cq = lax.mul(t, cp)  # f32[]  cma_es.py:231
    cr = lax.mul(cq, r)  # f32[]  cma_es.py:231
    cs = lax.sqrt(cr)  # f32[]  cma_es.py:230
    ct = lax.mul(cs, cm)  # f32[3]  cma_es.py:230
    cu = lax.add(co, ct)  # f32[3]  cma_es.py:230
    cv = norm(cu)  # f32[]  cma_es.py:195
    cw = lax.div(t, u)  # f32[]  cma_es.py:239
    cx = lax.convert_element_type(y, f32)  # f32[]  cma_es.py:239
    cy = lax.div(cv, cx)  # f32[]  cma_es.py:239
    cz = lax.sub(cy, np.float32(1.0))  # f32[]  cma_es.py:239
    da = lax.mul(cw, cz)  # f32[]  cma_es.py:239
    db = lax.exp(da)  # f32[]  cma_es.py:238
    dc = lax.mul(h, db)  # f32[]  cma_es.py:238
    dd = clip_2(dc, p, o)  # f32[]  cma_es.py:241
    de = lax.add(f, 1)  # i32[] weak  cma_es.py:201
    df = lax.sub(np.float32(1.0), t)  # f32[]  cma_es.py:248
    dg = lax.add(de, 1)  # i32[] weak  cma_es.py:248
    dh = lax.mul(2, dg)  # i32[] weak  cma_es.py:248
    _ = lax.convert_element_type(dh, f32)  # f32[]  cma_es.py:248
    di = lax.pow(df, dh)  # f32[]  cma_es.py:248
    dj = lax.sub(np.float32(1.0), di)  # f32[]  cma_es.py:248
    dk = lax.sqrt(dj)  # f32[]  cma_es.py:247
    dl = lax.div(cv, dk)  # f32[]  cma_es.py:247
    dm = lax.mul(1.9, y)  # f32[] weak  cma_es.py:250
    dn = lax.convert_element_type(dm, f32)  # f32[]  cma_es.py:251
    do = lax.lt(dl, dn)  # bool[]  cma_es.py:251
    dp = lax.sub(np.float32(1.0), v)  # f32[]  cma_es.py:261
    dq = lax.mul(dp, j)  # f32[3]  cma_es.py:261
    dr = lax.sub(np.float32(2.0), v)  # f32[]  cma_es.py:262
    ds = lax.mul(v, dr)  # f32[]  cma_es.py:262
    dt = lax.mul(ds, r)  # f32[]  cma_es.py:262
    du = lax.sqrt(dt)  # f32[]  cma_es.py:261
    dv = lax.convert_element_type(do, f32)  # f32[]  cma_es.py:261
    dw = lax.mul(dv, du)  # f32[]  cma_es.py:261
    dx = lax.mul(dw, ce)  # f32[3]  cma_es.py:261
    dy = lax.add(dq, dx)  # f32[3]  cma_es.py:261
    dz = lax.convert_element_type_p.bind(  # i32[] weak  cma_es.py:267
        do, new_dtype=i32, sharding=None, weak_type=True
    )
    ea = lax.sub(1, dz)  # i32[] weak  cma_es.py:267
    eb = lax.convert_element_type(ea, f32)  # f32[]  cma_es.py:267
    ec = lax.mul(eb, v)  # f32[]  cma_es.py:267
    ed = lax.sub(np.float32(2.0), v)  # f32[]  cma_es.py:267
    ee = lax.mul(ec, ed)  # f32[]  cma_es.py:267
    ef = lax.broadcast_in_dim(dy, (3, 1), (0,))  # f32[3,1]  cma_es.py:271
    eg = lax.broadcast_in_dim(dy, (1, 3), (1,))  # f32[1,3]  cma_es.py:271
    eh = lax.mul(ef, eg)  # f32[3,3]  cma_es.py:271
    ei = lax.dot_general(  # f32[8,3]  cma_es.py:207
        cb, l, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ej = lax.div(np.float32(1.0), m)  # f32[3]  cma_es.py:207
    ek = lax.broadcast_in_dim(ej, (1, 3), (1,))  # f32[1,3]  cma_es.py:207
    el = lax.mul(ei, ek)  # f32[8,3]  cma_es.py:207
    em = lax.transpose(l, (1, 0))  # f32[3,3]  cma_es.py:207
    en = lax.dot_general(  # f32[8,3]  cma_es.py:207
        el, em, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    eo = lax.ge(by, np.float32(0.0))  # bool[8]  cma_es.py:278
    ep = lax.square(en)  # f32[8,3]  cma_es.py:281
    eq = lax.reduce_sum(ep, axes=(1,))  # f32[8]  cma_es.py:281
    er = clip_3(eq, 1e-08)  # f32[8]  cma_es.py:281
    es = lax.div(np.float32(3.0), er)  # f32[8]  cma_es.py:280
    et = where(eo, 1, es)  # f32[8]  cma_es.py:277
    eu = lax.mul(by, et)  # f32[8]  cma_es.py:277
    ev = lax.dot_general(  # f32[8,3]  cma_es.py:283
        eu, cb, (((), ()), ((0,), (0,))), preferred_element_type=f32
    )
    ew = lax.dot_general(  # f32[3,3]  cma_es.py:283
        ev, cb, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    ex = lax.mul(w, ee)  # f32[]  cma_es.py:297
    ey = lax.add(np.float32(1.0), ex)  # f32[]  cma_es.py:296
    ez = lax.sub(ey, w)  # f32[]  cma_es.py:296
    fa = lax.reduce_sum(q, axes=(0,))  # f32[]  cma_es.py:299
    fb = lax.mul(x, fa)  # f32[]  cma_es.py:299
    fc = lax.sub(ez, fb)  # f32[]  cma_es.py:296
    fd = lax.mul(fc, k)  # f32[3,3]  cma_es.py:295
    fe = lax.mul(w, eh)  # f32[3,3]  cma_es.py:302
    ff = lax.add(fd, fe)  # f32[3,3]  cma_es.py:295
    fg = lax.mul(x, ew)  # f32[3,3]  cma_es.py:303
    fh = lax.add(ff, fg)  # f32[3,3]  cma_es.py:295
    fi = lax.add(f, 1)  # i32[] weak  base.py:153
    # result[0].best_solution, result[0].best_fitness, result[0].generation_counter, result[0].mean, result[0].std,
    # result[0].p_std, result[0].p_c, result[0].C, result[0].B, result[0].D, result[1]['best_fitness'],
    # result[1]['best_fitness_in_generation'], result[1]['best_solution'], result[1]['best_solution_in_generation'],
    # result[1]['best_solution_norm'], result[1]['generation_counter'], result[1]['mean'], result[1]['mean_norm']
    return ar, at, fi, ci, dd, cu, dy, fh, l, m, at, az, ar, bh, bi, f, g, bj


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
