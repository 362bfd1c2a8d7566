"""Contractions: products through BLAS where that is worthwhile, else loops."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import Ix
from jace.plan.literals import cpp_literal
from jace.rules.combining import convert
from jace.rules.loops.gemm import View, fits, prepared, product, store_converted, worthwhile
from jace.rules.loops.nests import loop_nest, multiply_add
from jace.rules.operations import Contraction


def contracted(planner: Planner, op: Contraction) -> None:
    """A contraction."""
    free_l, free_r = op.free
    left = View(planner.stored(op.left), op.batch[0], free_l, op.summed[0])
    right = View(planner.stored(op.right), op.batch[1], op.summed[1], free_r)
    target = planner.output(op.out)
    if 0 in target.shape:
        return
    wide = op.wide
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
