# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jax_custom_root.py:40 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "5b142dd016c38a0a852635b2d4a1c469b5c2bf086335ebf6a2943e0cdb59e8d2"
# outputs_sha256 = "8529ceec0aa198f64b1503192f22917837e12b65ea7be31cc61d9295033555e9"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jax_custom_root.py:40): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src import core, dtypes, source_info_util
from jax._src.lax.control_flow.solves import _LinearSolveTuple
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


def raw(primitive, *args, **params):
    """Stage an equation exactly as given, where bind would simplify it away or rewrite it."""
    trace, source = core.trace_ctx.trace, source_info_util.current()
    known = [x if isinstance(x, core.Tracer) else dtypes.canonicalize_value(x) for x in args]
    operands = [trace.to_jaxpr_tracer(x, source) for x in known]
    if "call_jaxpr" in params:
        body = params["call_jaxpr"]
        avals, effects = [v.aval for v in body.outvars], body.effects
    else:
        avals, effects = primitive.abstract_eval(*[x.aval for x in operands], **params)
    results = trace.emit_eqn(
        operands, avals if primitive.multiple_results else [avals], primitive, params, effects
    )
    return results if primitive.multiple_results else results[0]


def solve(a, b):
    c = lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[4]
    return c


def solve_2(a, b):
    c = lax.dot_general(b, a, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[4]
    d = lax.reduce_sum_p.bind(c, axes=(), out_sharding=None)  # f32[4]
    return d


@jit("_lu_solve")
def lu_solve(a, b, c):
    d = lax.broadcast_in_dim(c, (4, 1), (0,))  # f32[4,1]
    e = lax.lt(b, np.int32(0))  # bool[4]
    f = lax.add(b, np.int32(4))  # i32[4]
    g = lax.select_n(e, b, f)  # i32[4]
    h = lax.broadcast_in_dim(g, (4, 1), (0,))  # i32[4,1]
    i = lax.gather_p.bind(  # f32[4,1]
        d,
        h,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    j = primitives.triangular_solve_p.bind(  # f32[4,1]
        a, i, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=True
    )
    k = primitives.triangular_solve_p.bind(  # f32[4,1]
        a, j, conjugate_a=False, left_side=True, lower=False, transpose_a=False, unit_diagonal=False
    )
    l = lax.squeeze(k, (1,))  # f32[4]
    return l


def solve_3(a, b, c):
    d = lu_solve(a, b, c)  # f32[4]
    return d


@jit("_lu_solve")
def lu_solve_2(a, b, c):
    d = lax.broadcast_in_dim(c, (4, 1), (0,))  # f32[4,1]
    e = primitives.triangular_solve_p.bind(  # f32[4,1]
        a, d, conjugate_a=False, left_side=True, lower=False, transpose_a=True, unit_diagonal=False
    )
    f = primitives.triangular_solve_p.bind(  # f32[4,1]
        a, e, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=True
    )
    g = lax.broadcasted_iota(i32, (4,), 0)  # i32[4]
    _, h = lax.sort_p.bind(b, g, dimension=0, is_stable=True, num_keys=1)  # i32[4], i32[4]
    i = lax.lt(h, np.int32(0))  # bool[4]
    j = lax.add(h, np.int32(4))  # i32[4]
    k = lax.select_n(i, h, j)  # i32[4]
    l = lax.broadcast_in_dim(k, (4, 1), (0,))  # i32[4,1]
    m = lax.gather_p.bind(  # f32[4,1]
        f,
        l,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    n = lax.squeeze(m, (1,))  # f32[4]
    return n


def solve_4(a, b, c):
    d = lu_solve_2(a, b, c)  # f32[4]
    return d


@jax.jit
def solve_5(a, b):
    c = lax.stop_gradient_p.bind(a)  # f32[4,4]
    d, _, e = primitives.lu_p.bind(c)  # f32[4,4], i32[4], i32[4]
    (f,) = lax.linear_solve_p.bind(  # f32[4]
        a,
        a,
        d,
        e,
        d,
        e,
        b,
        const_lengths=_LinearSolveTuple(matvec=1, vecmat=1, solve=2, transpose_solve=2),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((4, 4), f32), S((4,), f32)),
            vecmat=J(solve_2, S((4, 4), f32), S((4,), f32)),
            solve=J(solve_3, S((4, 4), f32), S((4,), i32), S((4,), f32)),
            transpose_solve=J(solve_4, S((4, 4), f32), S((4,), i32), S((4,), f32)),
        ),
    )
    return f


def body(a, b, carry, rows):
    c, d = carry
    e = lax.add(c, 1)  # i32[] weak
    f = lax.broadcasted_iota(i32, (4, 4), 0)  # i32[4,4]  jax_custom_root.py:11
    g = lax.broadcasted_iota(i32, (4, 4), 1)  # i32[4,4]  jax_custom_root.py:11
    h = lax.add(f, np.int32(0))  # i32[4,4]  jax_custom_root.py:11
    i = lax.eq(h, g)  # bool[4,4]  jax_custom_root.py:11
    j = lax.convert_element_type(i, f32)  # f32[4,4]  jax_custom_root.py:11
    (k,) = lax.split_p.bind(j, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:11
    l = raw(  # f32[4,4]  jax_custom_root.py:11
        lax.convert_element_type_p,
        k,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    m = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    n = lax.dot_general(  # f32[4,4]  jax_custom_root.py:21
        a, l, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    o = lax.add(m, b)  # f32[4]  jax_custom_root.py:21
    p = lax.tanh(o)  # f32[4]  jax_custom_root.py:21
    q = lax.transpose(n, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    r = lax.broadcast_in_dim(p, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    s = lax.mul(q, r)  # f32[4,4]  jax_custom_root.py:21
    t = lax.transpose(n, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    u = lax.add(t, s)  # f32[4,4]  jax_custom_root.py:21
    v = lax.sub(np.float32(1.0), p)  # f32[4]  jax_custom_root.py:21
    w = lax.broadcast_in_dim(v, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    x = lax.mul(u, w)  # f32[4,4]  jax_custom_root.py:21
    _ = lax.sub(d, p)  # f32[4]  jax_custom_root.py:21
    y = lax.sub(l, x)  # f32[4,4]  jax_custom_root.py:21
    z = lax.transpose(y, (1, 0))  # f32[4,4]  jax_custom_root.py:11
    (aa,) = lax.split_p.bind(z, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:11
    ab = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ac = lax.add(ab, b)  # f32[4]  jax_custom_root.py:21
    ad = lax.tanh(ac)  # f32[4]  jax_custom_root.py:21
    ae = lax.sub(d, ad)  # f32[4]  jax_custom_root.py:21
    af = solve_5(aa, ae)  # f32[4]  jax_custom_root.py:11
    ag = lax.sub(d, af)  # f32[4]  jax_custom_root.py:11
    return (e, ag), None


@jax.custom_jvp
def custom_root(a, b, c, d, e, f, g):
    (_, h), _ = lax.scan(  # i32[] weak, f32[4]  jax_custom_root.py:13
        functools.partial(body, c, d), (0, g), None, length=5
    )
    return h


@custom_root.defjvp
def custom_root_jvp(primals, tangents):
    a, b, c, d, e, f, g = primals
    h, i, j, k, l, m, n = tangents
    o = custom_root(a, b, c, d, e, f, g)  # f32[4]
    p = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, o, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    q = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        h, o, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    r = lax.add(p, b)  # f32[4]  jax_custom_root.py:21
    s = lax.add(q, i)  # f32[4]  jax_custom_root.py:21
    t = lax.tanh(r)  # f32[4]  jax_custom_root.py:21
    u = lax.mul(s, t)  # f32[4]  jax_custom_root.py:21
    v = lax.add(s, u)  # f32[4]  jax_custom_root.py:21
    w = lax.sub(np.float32(1.0), t)  # f32[4]  jax_custom_root.py:21
    x = lax.mul(v, w)  # f32[4]  jax_custom_root.py:21
    _ = lax.sub(o, t)  # f32[4]  jax_custom_root.py:21
    y = lax.neg(x)  # f32[4]  jax_custom_root.py:21
    z = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        e, o, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    aa = lax.add(z, f)  # f32[4]  jax_custom_root.py:21
    ab = lax.tanh(aa)  # f32[4]  jax_custom_root.py:21
    ac = lax.sub(np.float32(1.0), ab)  # f32[4]  jax_custom_root.py:21
    _ = lax.sub(o, ab)  # f32[4]  jax_custom_root.py:21
    ad = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:17
    ae = lax.broadcasted_iota(i32, (4, 4), 0)  # i32[4,4]  jax_custom_root.py:17
    af = lax.broadcasted_iota(i32, (4, 4), 1)  # i32[4,4]  jax_custom_root.py:17
    ag = lax.add(ae, np.int32(0))  # i32[4,4]  jax_custom_root.py:17
    ah = lax.eq(ag, af)  # bool[4,4]  jax_custom_root.py:17
    ai = lax.convert_element_type(ah, f32)  # f32[4,4]  jax_custom_root.py:17
    (aj,) = lax.split_p.bind(ai, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:17
    ak = raw(  # f32[4,4]  jax_custom_root.py:17
        lax.convert_element_type_p,
        aj,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    al = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        e, ad, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    am = lax.dot_general(  # f32[4,4]  jax_custom_root.py:21
        e, ak, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    an = lax.mul(al, ab)  # f32[4]  jax_custom_root.py:21
    ao = lax.transpose(am, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    ap = lax.broadcast_in_dim(ab, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    aq = lax.mul(ao, ap)  # f32[4,4]  jax_custom_root.py:21
    ar = lax.add(al, an)  # f32[4]  jax_custom_root.py:21
    at = lax.transpose(am, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    au = lax.add(at, aq)  # f32[4,4]  jax_custom_root.py:21
    av = lax.mul(ar, ac)  # f32[4]  jax_custom_root.py:21
    aw = lax.broadcast_in_dim(ac, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    ax = lax.mul(au, aw)  # f32[4,4]  jax_custom_root.py:21
    _ = lax.sub(ad, av)  # f32[4]  jax_custom_root.py:21
    ay = lax.sub(ak, ax)  # f32[4,4]  jax_custom_root.py:21
    az = lax.transpose(ay, (1, 0))  # f32[4,4]  jax_custom_root.py:17
    (ba,) = lax.split_p.bind(az, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:17
    bb = solve_5(ba, y)  # f32[4]  jax_custom_root.py:17
    bc = lax.neg(bb)  # f32[4]
    return o, bc


@jax.jit
def solve_6(a):
    b = lax.stop_gradient_p.bind(a)  # f32[4,4]
    c, _, d = primitives.lu_p.bind(b)  # f32[4,4], i32[4], i32[4]
    return c, d


@jax.jit
def solve_7(a, b, c, d):
    (e,) = lax.linear_solve_p.bind(  # f32[4]
        a,
        a,
        b,
        c,
        b,
        c,
        d,
        const_lengths=_LinearSolveTuple(matvec=1, vecmat=1, solve=2, transpose_solve=2),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve_2, S((4, 4), f32), S((4,), f32)),
            vecmat=J(solve, S((4, 4), f32), S((4,), f32)),
            solve=J(solve_4, S((4, 4), f32), S((4,), i32), S((4,), f32)),
            transpose_solve=J(solve_3, S((4, 4), f32), S((4,), i32), S((4,), f32)),
        ),
    )
    return e


def inputs():
    return [
        # a = weights: f32[4,4]
        np.array(
            [
                [0.10367526, 0.24648544, 0.09913112, -0.39094716],
                [0.27160677, 0.13391237, -0.16108596, 0.17433544],
                [0.10937172, 0.08823975, 0.008526673, 0.16401389],
                [-0.22093622, -0.048872985, -0.1446358, 0.17965387],
            ],
            np.float32,
        ),
        np.array([0.039722107, -0.29245675, -0.78190845, -0.25719225], np.float32),  # b = x: f32[4]
    ]


def repro(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:21
    _ = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:21
    _ = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:21
    _ = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:21
    _ = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:21
    d = custom_root(a, b, a, b, a, b, c)  # f32[4]  jax_custom_root.py:21
    e = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    f = lax.add(e, b)  # f32[4]  jax_custom_root.py:21
    g = lax.tanh(f)  # f32[4]  jax_custom_root.py:21
    h = lax.sub(np.float32(1.0), g)  # f32[4]  jax_custom_root.py:21
    _ = lax.sub(d, g)  # f32[4]  jax_custom_root.py:21
    i = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, d, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    j = lax.add(i, b)  # f32[4]  jax_custom_root.py:21
    k = lax.tanh(j)  # f32[4]  jax_custom_root.py:21
    l = lax.sub(np.float32(1.0), k)  # f32[4]  jax_custom_root.py:21
    _ = lax.sub(d, k)  # f32[4]  jax_custom_root.py:21
    m = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:17
    n = lax.broadcasted_iota(i32, (4, 4), 0)  # i32[4,4]  jax_custom_root.py:17
    o = lax.broadcasted_iota(i32, (4, 4), 1)  # i32[4,4]  jax_custom_root.py:17
    p = lax.add(n, np.int32(0))  # i32[4,4]  jax_custom_root.py:17
    q = lax.eq(p, o)  # bool[4,4]  jax_custom_root.py:17
    r = lax.convert_element_type(q, f32)  # f32[4,4]  jax_custom_root.py:17
    (s,) = lax.split_p.bind(r, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:17
    t = raw(  # f32[4,4]  jax_custom_root.py:17
        lax.convert_element_type_p,
        s,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    u = lax.dot_general(  # f32[4]  jax_custom_root.py:21
        a, m, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    v = lax.dot_general(  # f32[4,4]  jax_custom_root.py:21
        a, t, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    w = lax.mul(u, k)  # f32[4]  jax_custom_root.py:21
    x = lax.transpose(v, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    y = lax.broadcast_in_dim(k, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    z = lax.mul(x, y)  # f32[4,4]  jax_custom_root.py:21
    aa = lax.add(u, w)  # f32[4]  jax_custom_root.py:21
    ab = lax.transpose(v, (1, 0))  # f32[4,4]  jax_custom_root.py:21
    ac = lax.add(ab, z)  # f32[4,4]  jax_custom_root.py:21
    ad = lax.mul(aa, l)  # f32[4]  jax_custom_root.py:21
    ae = lax.broadcast_in_dim(l, (1, 4), (1,))  # f32[1,4]  jax_custom_root.py:21
    af = lax.mul(ac, ae)  # f32[4,4]  jax_custom_root.py:21
    _ = lax.sub(m, ad)  # f32[4]  jax_custom_root.py:21
    ag = lax.sub(t, af)  # f32[4,4]  jax_custom_root.py:21
    ah = lax.transpose(ag, (1, 0))  # f32[4,4]  jax_custom_root.py:17
    (ai,) = lax.split_p.bind(ah, axis=1, sizes=(4,))  # f32[4,4]  jax_custom_root.py:17
    aj, ak = solve_6(ai)  # f32[4,4], i32[4]  jax_custom_root.py:17
    al = lax.sub(d, np.float32(0.1))  # f32[4]  jax_custom_root.py:40
    am = lax.integer_pow(al, 2)  # f32[4]  jax_custom_root.py:40
    an = lax.mul(np.float32(2.0), al)  # f32[4]  jax_custom_root.py:40
    ao = lax.reduce_sum(am, axes=(0,))  # f32[]  jax_custom_root.py:40
    ap = lax.broadcast_in_dim(np.float32(1.0), (4,), ())  # f32[4]  jax_custom_root.py:40
    aq = lax.mul(ap, an)  # f32[4]  jax_custom_root.py:40
    ar = lax.neg(aq)  # f32[4]  jax_custom_root.py:21
    at = solve_7(ai, aj, ak, ar)  # f32[4]  jax_custom_root.py:17
    au = lax.neg(at)  # f32[4]  jax_custom_root.py:21
    av = lax.mul(au, h)  # f32[4]  jax_custom_root.py:21
    aw = lax.mul(av, g)  # f32[4]  jax_custom_root.py:21
    ax = primitives.add_jaxvals_p.bind(av, aw)  # f32[4]  jax_custom_root.py:21
    ay = lax.dot_general(  # f32[4,4]  jax_custom_root.py:21
        ax, d, (((), ()), ((), ())), preferred_element_type=f32
    )
    # result[0], result[1]
    return ao, ay


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
