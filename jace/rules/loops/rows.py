"""Reductions that keep the last dimension: blocks of neighbouring columns, one accumulator each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jace.dtypes import ctype
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import Ix
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, accumulator, convert
from jace.rules.loops.nests import accumulate

#: Accumulators of a block of neighbouring columns: they stay in the first-level cache.
ROW_BLOCK = 512
#: Fewer columns are reduced one after the other.
MIN_ROW = 8
#: Values from which threads are worth their start.
PARALLEL_VALUES = 1 << 18

#: Emits one step of a reduction by rows: given the value of a column, combine it into the column's accumulator.
RowStep = Callable[[Callable[[Ix], str]], None]


def reduce_rows(
    planner: Planner,
    label: str,
    kind: str,
    dtype: np.dtype[Any],
    target: Ref,
    steps: Callable[[Emitter, Index, RowStep], None],
    *,
    depth: int,
) -> None:
    """Add a kernel that computes blocks of neighbouring elements of `target` together, one accumulator each.

    Args:
        label: the kernel's.
        kind: sum, max, ...
        dtype: of the values.
        steps: emits all steps for the row at an index (of all dimensions but the last).
        depth: how many steps there are.
    """
    wide = accumulator(dtype, kind)
    *outer, length = target.shape
    blocks = -(-length // ROW_BLOCK)
    extent = min(length, ROW_BLOCK)

    def body(em: Emitter, index: Index) -> None:
        *row, block = index
        first, stop = block * ROW_BLOCK, ""
        if blocks > 1 and length % ROW_BLOCK:
            left = em.let(np.int64, f"{length} - {first}")
            stop = em.let(np.int64, f"{left} < {ROW_BLOCK} ? {left} : {ROW_BLOCK}")
        totals = em.fresh("total")
        em.line(f"{ctype(wide)} {totals}[{extent}];")
        with em.loop(extent, stop=stop) as column:
            em.line(f"{totals}[{column}] = {cpp_literal(REDUCTIONS[kind][1](wide), wide)};")

        def step(value: Callable[[Ix], str]) -> None:
            with em.loop(extent, stop=stop, pragma="#pragma omp simd") as column:
                accumulate(em, kind, dtype, f"{totals}[{column}]", value(first + column))

        steps(em, tuple(row), step)
        with em.loop(extent, stop=stop, pragma="#pragma omp simd") as column:
            value = convert(wide, target.dtype, f"{totals}[{column}]")
            em.line(f"w_{target.buffer.name}[{target.address((*row, first + column))}] = {value};")

    parallel = math.prod(target.shape) * depth >= PARALLEL_VALUES
    planner.kernel(label, (*outer, blocks), body, writes=[target], parallel=parallel)
