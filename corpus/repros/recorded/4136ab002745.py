# /// jace-repro
# schema = 1
# name = "ask"
# origin = "base.py:108 (ask)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4136ab002745a699b23d210168f33673758505452fc40136dfcde6a1be05ad64"
# outputs_sha256 = "f912bad7e710790e9e704095158369482393882907ccc4b0067c37566e241826"
# self_check = "exact"
#
# [static]
# self = "<evosax.algorithms.distribution_based.cma_es.CMA_ES object>"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""ask (base.py:108): written by jace-repro, needs only jax and numpy."""

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
def eigh(a):
    b = lax.transpose(a, (1, 0))  # f32[3,3]
    c = lax.add(a, b)  # f32[3,3]
    d = lax.div(c, np.float32(2.0))  # f32[3,3]
    e, f = primitives.eigh_p.bind(  # f32[3,3], f32[3]
        d, algorithm=None, lower=True, sort_eigenvalues=True, subset_by_index=None
    )
    return f, e


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(8, 3))  # u32[8,3]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[8,3]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[8,3]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[8,3]
    j = lax.sub(i, np.float32(1.0))  # f32[8,3]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[8,3]
    m = lax.add(l, d)  # f32[8,3]
    n = lax.max(d, m)  # f32[8,3]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[8,3]
    c = lax.erf_inv(b)  # f32[8,3]
    d = lax.mul(np.float32(1.4142135), c)  # f32[8,3]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[8,3]
    return b


@jit("_where")
def where(a, b, c):
    d = lax.broadcast_in_dim_p.bind(b, broadcast_dimensions=(0, 1), shape=(3, 3), sharding=None)  # f32[3,3]
    e = lax.broadcast_in_dim(c, (3, 3), ())  # f32[3,3]
    f = lax.select_n(a, e, d)  # f32[3,3]
    return f


@jit("_diag")
def diag(a):
    b = lax.pad(a, np.float32(0.0), ((0, 0, 0),))  # f32[3]
    c = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]
    d = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]
    e = lax.add(c, np.int32(0))  # i32[3,3]
    f = lax.eq(e, d)  # bool[3,3]
    g = lax.broadcast_in_dim(b, (3, 1), (0,))  # f32[3,1]
    h = where(f, g, np.float32(0.0))  # f32[3,3]
    return h


def inputs():
    return [
        # a = key: key<fry>[]
        jax.random.wrap_key_data(np.array([1353695780, 2116000888], np.uint32), impl="threefry2x32"),
        np.array([-0.3220052, 1.3303299, 0.81223685], np.float32),  # b = state.best_solution: f32[3]
        np.float32(1.4626322),  # c = state.best_fitness: f32[]
        1,  # d = state.generation_counter: i32[] weak
        np.array([0.2455142, 0.30619395, 0.4994495], np.float32),  # e = state.mean: f32[3]
        np.float32(0.8670929),  # f = state.std: f32[]
        np.array([0.32636893, 0.4070322, 0.6639322], np.float32),  # g = state.p_std: f32[3]
        np.array([0.35497606, 0.4427097, 0.72212774], np.float32),  # h = state.p_c: f32[3]
        # i = state.C: f32[3,3]
        np.array(
            [
                [0.8537893, -0.16801001, -0.038169947],
                [-0.16801003, 0.92152816, 0.03372461],
                [-0.038169947, 0.033724606, 0.9971758],
            ],
            np.float32,
        ),
        np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], np.float32),  # j = state.B: f32[3,3]
        np.array([1.0, 1.0, 1.0], np.float32),  # k = state.D: f32[3]
        1.0,  # l = params.std_init: f32[] weak
        0.0,  # m = params.std_min: f32[] weak
        100000000.0,  # n = params.std_max: f32[] weak
        # o = params.weights: f32[8]
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
        np.float32(2.600179),  # p = params.mu_eff: f32[]
        1.0,  # q = params.c_mean: f32[] weak
        np.float32(0.43397182),  # r = params.c_std: f32[]
        np.float32(1.4339719),  # s = params.d_std: f32[]
        np.float32(0.5572511),  # t = params.c_c: f32[]
        np.float32(0.094830856),  # u = params.c_1: f32[]
        np.float32(0.07135953),  # v = params.c_mu: f32[]
        1.5968775,  # w = params.chi_n: f32[] weak
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w):
    # static: self = <evosax.algorithms.distribution_based.cma_es.CMA_ES object>
    x = lax.transpose(i, (1, 0))  # f32[3,3]  cma_es.py:310
    y = lax.add(i, x)  # f32[3,3]  cma_es.py:310
    z = lax.div(y, np.float32(2.0))  # f32[3,3]  cma_es.py:310
    aa = lax.broadcasted_iota(i32, (3,), 0)  # i32[3]  cma_es.py:313
    ab = lax.lt(aa, np.int32(0))  # bool[3]  cma_es.py:314
    ac = lax.add(aa, np.int32(3))  # i32[3]  cma_es.py:314
    ad = lax.select_n(ab, aa, ac)  # i32[3]  cma_es.py:314
    ae = lax.lt(aa, np.int32(0))  # bool[3]  cma_es.py:314
    af = lax.add(aa, np.int32(3))  # i32[3]  cma_es.py:314
    ag = lax.select_n(ae, aa, af)  # i32[3]  cma_es.py:314
    ah = lax.broadcast_in_dim(ad, (3, 1), (0,))  # i32[3,1]  cma_es.py:314
    ai = lax.broadcast_in_dim(ag, (3, 1), (0,))  # i32[3,1]  cma_es.py:314
    aj = lax.concatenate([ah, ai], 1)  # i32[3,2]  cma_es.py:314
    ak = lax.gather_p.bind(  # f32[3]  cma_es.py:314
        z,
        aj,
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
    al = lax.max(ak, np.float32(0.0))  # f32[3]  cma_es.py:314
    am = lax.lt(aa, np.int32(0))  # bool[3]  cma_es.py:314
    an = lax.add(aa, np.int32(3))  # i32[3]  cma_es.py:314
    ao = lax.select_n(am, aa, an)  # i32[3]  cma_es.py:314
    ap = lax.lt(aa, np.int32(0))  # bool[3]  cma_es.py:314
    aq = lax.add(aa, np.int32(3))  # i32[3]  cma_es.py:314
    ar = lax.select_n(ap, aa, aq)  # i32[3]  cma_es.py:314
    at = lax.broadcast_in_dim(ao, (3, 1), (0,))  # i32[3,1]  cma_es.py:314
    au = lax.broadcast_in_dim(ar, (3, 1), (0,))  # i32[3,1]  cma_es.py:314
    av = lax.concatenate([at, au], 1)  # i32[3,2]  cma_es.py:314
    aw = lax.scatter_p.bind(  # f32[3,3]  cma_es.py:314
        z,
        av,
        al,
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
        update_jaxpr=None,
    )
    ax = lax.min(aw, np.float32(100000000.0))  # f32[3,3]  cma_es.py:315
    ay = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]  cma_es.py:319
    az = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]  cma_es.py:319
    ba = lax.add(ay, np.int32(0))  # i32[3,3]  cma_es.py:319
    bb = lax.eq(ba, az)  # bool[3,3]  cma_es.py:319
    bc = lax.convert_element_type(bb, f32)  # f32[3,3]  cma_es.py:319
    bd = lax.mul(np.float32(1e-08), bc)  # f32[3,3]  cma_es.py:319
    be = lax.add(ax, bd)  # f32[3,3]  cma_es.py:319
    bf, bg = eigh(be)  # f32[3], f32[3,3]  cma_es.py:322
    bh = lax.max(bf, np.float32(1e-08))  # f32[3]  cma_es.py:324
    bi = lax.sqrt(bh)  # f32[3]  cma_es.py:324
    bj = normal(a)  # f32[8,3]  cma_es.py:172
    bk = diag(bi)  # f32[3,3]  cma_es.py:173
    bl = lax.transpose(bk, (1, 0))  # f32[3,3]  cma_es.py:173
    bm = lax.dot_general(  # f32[8,3]  cma_es.py:173
        bj, bl, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bn = lax.transpose(bg, (1, 0))  # f32[3,3]  cma_es.py:173
    bo = lax.dot_general(  # f32[8,3]  cma_es.py:173
        bm, bn, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bp = lax.mul(f, bo)  # f32[8,3]  cma_es.py:174
    bq = lax.broadcast_in_dim(e, (1, 3), (1,))  # f32[1,3]  cma_es.py:174
    br = lax.add(bq, bp)  # f32[8,3]  cma_es.py:174
    (bs,) = lax.split_p.bind(br, axis=1, sizes=(3,))  # f32[8,3]  base.py:120
    # result[0], result[1].best_solution, result[1].best_fitness, result[1].generation_counter, result[1].mean,
    # result[1].std, result[1].p_std, result[1].p_c, result[1].C, result[1].B, result[1].D
    return bs, b, c, d, e, f, g, h, be, bg, bi


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
