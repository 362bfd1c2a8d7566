# /// jace-repro
# schema = 1
# name = "tell"
# origin = "base.py:124 (tell)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d46a94ffb9575ed50bf93523902541a55ef950f40d8d49d97b33465b5043290a"
# outputs_sha256 = "98748f7a5d49e787f4bdbc8326e102240383fd9d09494662740b5ca6edfa9ae1"
# sidecar_sha256 = "6661234ba475719720d04bbe0f0dbb544849e488ff5fd70c5ae614fd47219366"
# self_check = "exact"
#
# [static]
# self = "<evosax.algorithms.distribution_based.open_es.Open_ES object>"
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


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


SIDECAR_SHA256 = "6661234ba475719720d04bbe0f0dbb544849e488ff5fd70c5ae614fd47219366"


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


def inputs():
    return [
        # a = key: key<fry>[]
        jax.random.wrap_key_data(np.array([2839387376, 2467677468], np.uint32), impl="threefry2x32"),
        ARRAYS["x1"],  # b = population: f32[8,3]
        # c = fitness: f32[8]
        np.array(
            [6.5285187, 2.021058, 3.4341614, 7.6160307, 0.97025275, 2.7462263, 2.6917586, 2.1889677],
            np.float32,
        ),
        np.array([0.3535502, 0.76197404, 1.1785518], np.float32),  # d = state.best_solution: f32[3]
        np.float32(0.55051047),  # e = state.best_fitness: f32[]
        1,  # f = state.generation_counter: i32[] weak
        np.array([0.0003198399, 8.406244e-05, 0.00019486115], np.float32),  # g = state.mean: f32[3]
        1.0,  # h = state.std: f32[] weak
    ]


def repro(a, b, c, d, e, f, g, h):
    # static: self = <evosax.algorithms.distribution_based.open_es.Open_ES object>
    i = lax.ne(c, c)  # bool[8]  base.py:211
    j = where(i, np.inf, c)  # f32[8]  base.py:211
    k = lax.argmin(j, 0, i32)  # i32[]  base.py:212
    l = lax.lt(k, np.int32(0))  # bool[]  base.py:213
    m = lax.add(k, np.int32(8))  # i32[]  base.py:213
    n = lax.select_n(l, k, m)  # i32[]  base.py:213
    o = lax.lt(np.int32(0), np.int32(0))  # bool[]  base.py:213
    p = lax.add(np.int32(0), np.int32(3))  # i32[]  base.py:213
    q = lax.select_n(o, np.int32(0), p)  # i32[]  base.py:213
    r = lax.dynamic_slice_p.bind(b, n, q, slice_sizes=(1, 3))  # f32[1,3]  base.py:213
    s = lax.squeeze(r, (0,))  # f32[3]  base.py:213
    t = lax.lt(k, np.int32(0))  # bool[]  base.py:214
    u = lax.add(k, np.int32(8))  # i32[]  base.py:214
    v = lax.select_n(t, k, u)  # i32[]  base.py:214
    w = lax.dynamic_slice_p.bind(j, v, slice_sizes=(1,))  # f32[1]  base.py:214
    x = lax.squeeze(w, (0,))  # f32[]  base.py:214
    y = lax.lt(x, e)  # bool[]  base.py:216
    z = lax.broadcast_in_dim(y, (1,), ())  # bool[1]  base.py:218
    aa = where_2(z, s, d)  # f32[3]  base.py:217
    ab = where_3(y, x, e)  # f32[]  base.py:222
    ac = lax.argmin(c, 0, i32)  # i32[]  base.py:43
    ad = lax.lt(ac, np.int32(0))  # bool[]  base.py:46
    ae = lax.add(ac, np.int32(8))  # i32[]  base.py:46
    af = lax.select_n(ad, ac, ae)  # i32[]  base.py:46
    ag = lax.dynamic_slice_p.bind(c, af, slice_sizes=(1,))  # f32[1]  base.py:46
    ah = lax.squeeze(ag, (0,))  # f32[]  base.py:46
    ai = lax.lt(ac, np.int32(0))  # bool[]  base.py:47
    aj = lax.add(ac, np.int32(8))  # i32[]  base.py:47
    ak = lax.select_n(ai, ac, aj)  # i32[]  base.py:47
    al = lax.lt(np.int32(0), np.int32(0))  # bool[]  base.py:47
    am = lax.add(np.int32(0), np.int32(3))  # i32[]  base.py:47
    an = lax.select_n(al, np.int32(0), am)  # i32[]  base.py:47
    ao = lax.dynamic_slice_p.bind(b, ak, an, slice_sizes=(1, 3))  # f32[1,3]  base.py:47
    ap = lax.squeeze(ao, (0,))  # f32[3]  base.py:47
    aq = norm(aa)  # f32[]  base.py:50
    ar = norm(g)  # f32[]  base.py:42
    at = lax.ne(c, c)  # bool[8]  fitness_shaping.py:73
    au = where(at, np.inf, c)  # f32[8]  fitness_shaping.py:73
    av = rankdata_2(au)  # f32[8]  fitness_shaping.py:74
    aw = lax.sub(av, np.float32(1.0))  # f32[8]  fitness_shaping.py:74
    ax = lax.div(aw, np.float32(7.0))  # f32[8]  fitness_shaping.py:82
    ay = lax.sub(ax, np.float32(0.5))  # f32[8]  fitness_shaping.py:82
    az = lax.broadcast_in_dim(g, (1, 3), (1,))  # f32[1,3]  open_es.py:101
    ba = lax.sub(b, az)  # f32[8,3]  open_es.py:101
    bb = lax.convert_element_type(h, f32)  # f32[]  open_es.py:101
    bc = lax.div(ba, bb)  # f32[8,3]  open_es.py:101
    bd = lax.dot_general(  # f32[3]  open_es.py:101
        ay, bc, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    be = lax.mul(weak(8.0, f32), h)  # f32[] weak  open_es.py:102
    bf = lax.convert_element_type(be, f32)  # f32[]  open_es.py:101
    bg = lax.div(bd, bf)  # f32[3]  open_es.py:101
    bh = lax.mul(np.float32(-0.001), bg)  # f32[3]  transform.py:507
    bi = lax.add(g, bh)  # f32[3]  update.py:42
    bj = lax.add(f, 1)  # i32[] weak  base.py:153
    # result[0].best_solution, result[0].best_fitness, result[0].generation_counter, result[0].mean, result[0].std,
    # result[1]['best_fitness'], result[1]['best_fitness_in_generation'], result[1]['best_solution'],
    # result[1]['best_solution_in_generation'], result[1]['best_solution_norm'], result[1]['generation_counter'],
    # result[1]['mean'], result[1]['mean_norm']
    return aa, ab, bj, bi, 1.0, ab, ah, aa, ap, aq, f, g, ar


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
