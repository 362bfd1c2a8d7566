"""`dot_general`; `ragged_dot_general` and `scaled_dot` are expanded to it, their CPU lowerings being Python.

The result is a sum of products over the contracted dimensions, for every index of the batch dimensions.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import accumulation, kind
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import Ix
from jace.plan.literals import cpp_literal
from jace.registry import register_region
from jace.rules.combining import convert
from jace.rules.gemm import View, fits, prepared, product, store_converted, worthwhile
from jace.rules.nodes import contractions
from jace.rules.reduction import loop_nest


def multiply_add(dtype: np.dtype[Any], total: str, a: str, b: str) -> str:
    """C++ expression total + a * b."""
    if dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        return f"{total} + {a} * {b}"
    return f"jace::add({total}, jace::mul({a}, {b}))"


#: kind of a dtype -> which kinds hold the values of which
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def sum_dtype(lhs: np.dtype[Any], rhs: np.dtype[Any], out: np.dtype[Any]) -> np.dtype[Any]:
    """What products are computed and summed in: wide enough for the result, of a kind that holds the operands.

    Where the result is asked for in less (an integer of floats, a real of complex numbers), the sum is converted.
    """
    return accumulation(max((out, lhs, rhs), key=lambda dtype: _KINDS[kind(dtype)]))


def _node(planner: Planner, eqn: JaxprEqn) -> bool:
    lhs, rhs = eqn.invars
    return contractions.contraction(
        planner, eqn, sum_dtype(lhs.aval.dtype, rhs.aval.dtype, eqn.outvars[0].aval.dtype)
    )


@register_region("dot_general", node=_node)
def _dot_general(planner: Planner, eqn: JaxprEqn) -> None:
    lhs, rhs = eqn.invars
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    free_l = tuple(d for d in range(lhs.aval.ndim) if d not in (*contract_l, *batch_l))
    free_r = tuple(d for d in range(rhs.aval.ndim) if d not in (*contract_r, *batch_r))
    left = View(planner.stored(lhs), tuple(batch_l), free_l, tuple(contract_l))
    right = View(planner.stored(rhs), tuple(batch_r), tuple(contract_r), free_r)
    target = planner.output(eqn.outvars[0])
    if 0 in target.shape:
        return
    wide = sum_dtype(left.ref.dtype, right.ref.dtype, target.dtype)
    if worthwhile(wide, left.extent(left.rows), right.extent(right.columns), left.extent(left.columns)):
        _by_blas(planner, left, right, target, wide)
    else:
        _by_loops(planner, left, right, target, wide)


def _by_blas(planner: Planner, left: View, right: View, target: Ref, wide: np.dtype[Any]) -> None:
    pairs = list(zip(left.columns, right.rows, strict=True))
    # the order of the contracted dimensions is free: best one in which both operands can stay where they are
    for ordered in (pairs, sorted(pairs), sorted(pairs, key=lambda pair: pair[1])):
        left = replace(left, columns=tuple(d for d, _ in ordered))
        right = replace(right, rows=tuple(e for _, e in ordered))
        if fits(left, wide) and fits(right, wide):
            break
    left, right = prepared(planner, left, wide), prepared(planner, right, wide)
    result = target if wide == target.dtype else planner.temp(target.shape, wide)
    product(planner, "dot_general", left, right, result)
    if result is not target:
        store_converted(planner, result, target)


def _by_loops(planner: Planner, left: View, right: View, target: Ref, wide: np.dtype[Any]) -> None:
    out = target.dtype
    batch, rows, depth = ([left.ref.shape[d] for d in dims] for dims in (left.which, left.rows, left.columns))
    columns = [right.ref.shape[d] for d in right.columns]
    pointer = f"w_{target.buffer.name}"

    def operands(em: Emitter, outer: Index, column: list[Ix], inner: list[Ix]) -> tuple[str, str]:
        place_l = dict(zip((*left.which, *left.rows, *left.columns), (*outer, *inner), strict=True))
        place_r = dict(
            zip(
                (*right.which, *right.rows, *right.columns),
                (*outer[: len(batch)], *inner, *column),
                strict=True,
            )
        )
        values = (
            em.load(v.ref, tuple(p[d] for d in sorted(p))) for v, p in ((left, place_l), (right, place_r))
        )
        a, b = (convert(v.ref.dtype, wide, x) for v, x in zip((left, right), values, strict=True))
        return a, b

    # rows of the output are accumulated in place when the right operand is contiguous along them
    in_rows = bool(columns) and wide == out and (not depth or max(right.columns) > max(right.rows))

    def by_rows(em: Emitter, outer: Index) -> None:
        with loop_nest(em, columns, "#pragma omp simd") as column:
            em.line(f"{pointer}[{target.address((*outer, *column))}] = {cpp_literal(0, out)};")
        with loop_nest(em, depth) as inner, loop_nest(em, columns, "#pragma omp simd") as column:
            a, b = operands(em, outer, column, inner)
            slot = f"{pointer}[{target.address((*outer, *column))}]"
            em.line(f"{slot} = {multiply_add(out, slot, a, b)};")

    def by_elements(em: Emitter, outer: Index) -> None:
        with loop_nest(em, columns) as column:
            total = em.declare(wide, cpp_literal(0, wide))
            vector = f"#pragma omp simd reduction(+:{total})" if wide.kind == "f" else ""
            with loop_nest(em, depth, vector) as inner:
                a, b = operands(em, outer, column, inner)
                em.line(f"{total} = {multiply_add(wide, total, a, b)};")
            em.line(f"{pointer}[{target.address((*outer, *column))}] = {convert(wide, out, total)};")

    work = math.prod([*batch, *rows, *columns, *depth])
    planner.kernel(
        "dot_general",
        (*batch, *rows),
        by_rows if in_rows else by_elements,
        writes=[target],
        parallel=work > 200_000,
    )
