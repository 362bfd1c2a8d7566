# /// jace-repro
# schema = 1
# name = "custom_linear_solve_symmetric_a_float32_4_4_b_float32_4_solv"
# origin = "jax harness custom_linear_solve_symmetric_a_float32_4_4_b_float32_4_solve_explicit_jacobian_solve_transposesolve_explicit_jacobian_solve_symmetric_True"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8d8585f5aea37756e055b5b90d3a6f7338c5ee5cee06ac307be2adce90ef5419"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""custom_linear_solve_symmetric_a_float32_4_4_b_float32_4_solv (jax harness custom_linear_solve_symmetric_a_float32_4_4_b_float32_4_solve_explicit_jacobian_solve_transposesolve_explicit_jacobian_solve_symmetric_True): written by jace-repro, needs only jax and numpy."""

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


def solve_6(a, b):
    _ = lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[4]
    c = lax.broadcasted_iota(i32, (4, 4), 0)  # i32[4,4]
    d = lax.broadcasted_iota(i32, (4, 4), 1)  # i32[4,4]
    e = lax.add(c, np.int32(0))  # i32[4,4]
    f = lax.eq(e, d)  # bool[4,4]
    g = lax.convert_element_type(f, f32)  # f32[4,4]
    (h,) = lax.split_p.bind(g, axis=1, sizes=(4,))  # f32[4,4]
    i = raw(  # f32[4,4]
        lax.convert_element_type_p,
        h,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    j = lax.dot_general(i, a, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[4,4]
    (k,) = lax.split_p.bind(j, axis=0, sizes=(4,))  # f32[4,4]
    l = solve_5(k, b)  # f32[4]
    m = lax.stop_gradient_p.bind(l)  # f32[4]
    return m


def inputs():
    return [
        # a = dyn_args[0]: f32[4,4]
        np.array(
            [
                [2.0457826, 3.1825988, -0.13382196, 0.46451974],
                [3.1825988, 3.012611, -1.8191454, -0.45982718],
                [-0.13382196, -1.8191454, -12.746841, -8.723138],
                [0.46451974, -0.45982718, -8.723138, 5.3067045],
            ],
            np.float32,
        ),
        np.array([-2.2261987, -1.854473, -3.0161333, -3.8626277], np.float32),  # b = dyn_args[1]: f32[4]
    ]


def repro(a, b):
    (c,) = lax.linear_solve_p.bind(  # f32[4]
        a,
        a,
        a,
        a,
        b,
        const_lengths=_LinearSolveTuple(matvec=1, vecmat=1, solve=1, transpose_solve=1),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((4, 4), f32), S((4,), f32)),
            vecmat=J(solve, S((4, 4), f32), S((4,), f32)),
            solve=J(solve_6, S((4, 4), f32), S((4,), f32)),
            transpose_solve=J(solve_6, S((4, 4), f32), S((4,), f32)),
        ),
    )
    return c


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
