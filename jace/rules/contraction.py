"""dot_general and convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import accumulation
from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map, register_region
from jace.rules.reduction import convert, loop_nest
from jace.rules.windows import window_source


def _multiply_add(dtype: np.dtype[Any], total: str, a: str, b: str) -> str:
    if dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        return f"{total} + {a} * {b}"
    return f"jace::add({total}, jace::mul({a}, {b}))"


@register_region("dot_general")
def _dot_general(planner: Planner, eqn: JaxprEqn) -> None:
    lhs, rhs = eqn.invars
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    free_l = [d for d in range(lhs.aval.ndim) if d not in (*contract_l, *batch_l)]
    free_r = [d for d in range(rhs.aval.ndim) if d not in (*contract_r, *batch_r)]
    left, right = planner.stored(lhs), planner.stored(rhs)
    target = planner.output(eqn.outvars[0])
    out = eqn.outvars[0].aval.dtype
    wide = accumulation(out)
    batch = [lhs.aval.shape[d] for d in batch_l]
    rows = [lhs.aval.shape[d] for d in free_l]
    columns = [rhs.aval.shape[d] for d in free_r]
    depth = [lhs.aval.shape[d] for d in contract_l]
    pointer = f"w_{target.buffer.name}"

    def operands(em: Emitter, outer: Index, column: list[Ix], inner: list[Ix]) -> tuple[str, str]:
        at_l, at_r = [ZERO] * lhs.aval.ndim, [ZERO] * rhs.aval.ndim
        for position, (d, e) in enumerate(zip(batch_l, batch_r, strict=True)):
            at_l[d] = at_r[e] = outer[position]
        for position, d in enumerate(free_l):
            at_l[d] = outer[len(batch) + position]
        for ix, d in zip(column, free_r, strict=True):
            at_r[d] = ix
        for ix, d, e in zip(inner, contract_l, contract_r, strict=True):
            at_l[d], at_r[e] = ix, ix
        a = convert(lhs.aval.dtype, wide, em.load(left, tuple(at_l)))
        b = convert(rhs.aval.dtype, wide, em.load(right, tuple(at_r)))
        return a, b

    # rows of the output are accumulated in place when the right operand is contiguous along them
    in_rows = bool(columns) and wide == out and (not depth or max(free_r) > max(contract_r))

    def by_rows(em: Emitter, outer: Index) -> None:
        with loop_nest(em, columns, "#pragma omp simd") as column:
            em.line(f"{pointer}[{target.address((*outer, *column))}] = {cpp_literal(0, out)};")
        with loop_nest(em, depth) as inner, loop_nest(em, columns, "#pragma omp simd") as column:
            a, b = operands(em, outer, column, inner)
            slot = f"{pointer}[{target.address((*outer, *column))}]"
            em.line(f"{slot} = {_multiply_add(out, slot, a, b)};")

    def by_elements(em: Emitter, outer: Index) -> None:
        with loop_nest(em, columns) as column:
            total = em.declare(wide, cpp_literal(0, wide))
            vector = f"#pragma omp simd reduction(+:{total})" if wide.kind == "f" else ""
            with loop_nest(em, depth, vector) as inner:
                a, b = operands(em, outer, column, inner)
                em.line(f"{total} = {_multiply_add(wide, total, a, b)};")
            em.line(f"{pointer}[{target.address((*outer, *column))}] = {convert(wide, out, total)};")

    if 0 in (*batch, *rows, *columns):
        return
    work = int(np.prod([*batch, *rows, *columns, *depth], dtype=np.int64))
    planner.kernel(
        "dot_general",
        (*batch, *rows),
        by_rows if in_rows else by_elements,
        writes=[target],
        parallel=work > 200_000,
    )


@register_index_map("conv_general_dilated", cost=64, materialize=True, buffers=(0, 1))
def _conv(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    """Direct convolution, one output element: lax.conv_general_dilated with groups, batch groups and dilations."""
    lhs, rhs = eqn.invars
    p = eqn.params
    dims = p["dimension_numbers"]
    groups, batch_groups = p["feature_group_count"], p["batch_group_count"]
    out = eqn.outvars[0].aval
    wide = accumulation(out.dtype)
    window = [rhs.aval.shape[d] for d in dims.rhs_spec[2:]]
    depth = rhs.aval.shape[dims.rhs_spec[1]]
    out_batch, out_feature = index[dims.out_spec[0]], index[dims.out_spec[1]]
    features = out.shape[dims.out_spec[1]]
    spatial = tuple(index[d] for d in dims.out_spec[2:])
    first_feature: Ix = ZERO
    batch = out_batch
    if groups > 1:
        first_feature = em.opaque(f"({out_feature}) / {features // groups}", (0, groups)) * depth
    if batch_groups > 1:
        group = em.opaque(f"({out_feature}) / {features // batch_groups}", (0, batch_groups))
        batch = group * out.shape[dims.out_spec[0]] + out_batch
    total = em.declare(wide, cpp_literal(0, wide))
    shape = tuple(lhs.aval.shape[d] for d in dims.lhs_spec[2:])
    where = {
        "window_strides": p["window_strides"],
        "padding": p["padding"],
        "window_dilation": p["rhs_dilation"],
        "base_dilation": p["lhs_dilation"],
    }
    with loop_nest(em, [*window]) as offsets:
        source, conditions = window_source(em, spatial, offsets, where, shape)
        with em.block(f"if ({' && '.join(conditions) or 'true'})"), em.loop(depth) as feature:
            at_l, at_r = [ZERO] * lhs.aval.ndim, [ZERO] * rhs.aval.ndim
            at_l[dims.lhs_spec[0]], at_l[dims.lhs_spec[1]] = batch, first_feature + feature
            at_r[dims.rhs_spec[0]], at_r[dims.rhs_spec[1]] = out_feature, feature
            for d, e, ix, offset in zip(dims.lhs_spec[2:], dims.rhs_spec[2:], source, offsets, strict=True):
                at_l[d], at_r[e] = ix, offset
            a = convert(lhs.aval.dtype, wide, em.value(lhs, tuple(at_l)))
            b = convert(rhs.aval.dtype, wide, em.value(rhs, tuple(at_r)))
            em.line(f"{total} = {_multiply_add(wide, total, a, b)};")
    return convert(wide, out.dtype, total)
