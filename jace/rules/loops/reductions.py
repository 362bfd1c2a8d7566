"""Reductions, cumulative ones, and the places of extremes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import ctype
from jace.ir.core import open_jaxpr
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, accumulator, combine
from jace.rules.loops.nests import accumulate, finish, loop_nest, start
from jace.rules.loops.rows import MIN_ROW, PARALLEL_VALUES, ROW_BLOCK, RowStep, reduce_rows
from jace.rules.operations import Cumulation, Extreme, GeneralReduction, Reduction

#: Accumulators of a maximum and the like, which the compiler does not vectorize into several by itself.
LANES = 64


def reduced(em: Emitter, op: Reduction, index: Index, k: int) -> str:
    """One element of a reduction."""
    kind, dtype = op.kind, op.dtype
    total = start(em, kind, dtype)

    def add(reduced: Sequence[Ix], into: str) -> None:
        accumulate(em, kind, dtype, into, em.value(op.operand, op.source(index, reduced)))

    extents = op.reduced
    if kind not in ("sum", "prod") and extents and extents[-1] >= 2 * LANES:
        _by_lanes(em, kind, dtype, total, extents, add)
        return total
    # reassociating a floating-point sum needs leave; XLA takes it too, in another order
    vector = kind == "sum" and accumulator(dtype, kind).kind in "fiu"
    pragma = f"#pragma omp simd reduction(+:{total})" if vector else ""
    with loop_nest(em, extents, pragma) as inner:
        add(inner, total)
    return finish(em, kind, dtype, total)


def _by_lanes(
    em: Emitter,
    kind: str,
    dtype: np.dtype[Any],
    total: str,
    extents: list[int],
    add: Callable[[list[Ix], str], None],
) -> None:
    """Combine into `total` over `extents`; `add(index, accumulator)` emits one step."""
    *outer, last = extents
    lanes = em.fresh("lanes")
    em.line(f"{ctype(dtype)} {lanes}[{LANES}];")
    with em.loop(LANES) as lane:
        em.line(f"{lanes}[{lane}] = {total};")
    with loop_nest(em, outer) as reduced:
        with em.loop(last // LANES) as step, em.loop(LANES, pragma="#pragma omp simd") as lane:
            add([*reduced, step * LANES + lane], f"{lanes}[{lane}]")
        if last % LANES:
            with em.loop(last % LANES) as rest:
                add([*reduced, constant(last - last % LANES) + rest], total)
    operation = REDUCTIONS[kind][0]
    width = LANES
    while width > 1:
        width //= 2
        with em.loop(width, pragma="#pragma omp simd") as lane:
            here, there = f"{lanes}[{lane}]", f"{lanes}[{lane + width}]"
            em.line(f"{here} = {combine(operation, dtype, here, there)};")
    em.line(f"{total} = {combine(operation, dtype, total, f'{lanes}[0]')};")


#: Fewer values of each column are reduced one column after the other.
MIN_REDUCED = 4
#: Parts into which a long reduction to few elements is divided for the threads.
PARTS = 8


def by_rows(planner: Planner, op: Reduction) -> bool:
    """A reduction that keeps the last dimension, row by row."""
    shape, dtype, axes, kind = op.extents, op.dtype, op.axes, op.kind
    if not axes or axes[-1] == len(shape) - 1 or 0 in shape:
        return False
    depth = math.prod(op.reduced)
    if shape[-1] < MIN_ROW or depth < MIN_REDUCED:
        return False
    target = planner.output(op.out)
    longest = max(axes, key=lambda a: shape[a])
    parts = 1
    if math.prod(target.shape) < PARTS * ROW_BLOCK and depth * shape[-1] >= PARALLEL_VALUES:
        parts = max(n for n in range(1, PARTS + 1) if shape[longest] % n == 0)
    length = shape[longest] // parts
    wide = accumulator(dtype, kind)
    partial = planner.temp((parts, *target.shape), wide) if parts > 1 else target

    def steps(em: Emitter, index: Index, step: RowStep) -> None:
        part, rest = (index[0], index[1:]) if parts > 1 else (ZERO, index)
        with loop_nest(em, [length if a == longest else shape[a] for a in axes]) as reduced:
            inner = dict(zip(axes, reduced, strict=True))
            inner[longest] = part * length + inner[longest]
            step(lambda column: em.value(op.operand, op.source((*rest, column), [inner[a] for a in axes])))

    reduce_rows(planner, op.label, kind, dtype, partial, steps, depth=depth // parts)
    if parts > 1:
        _join_parts(planner, kind, dtype, partial, target)
    return True


def _join_parts(planner: Planner, kind: str, dtype: np.dtype[Any], partial: Ref, target: Ref) -> None:
    """`target` = the reduction of `partial`, accumulators, along its first dimension."""

    def body(em: Emitter, index: Index) -> None:
        total = start(em, kind, dtype)
        for part in range(partial.shape[0]):
            value = em.load(partial, (constant(part), *index))
            em.line(f"{total} = {combine(REDUCTIONS[kind][0], partial.dtype, total, value)};")
        em.line(f"w_{target.buffer.name}[{target.address(index)}] = {finish(em, kind, dtype, total)};")

    planner.kernel("join", target.shape, body, writes=[target], independent=True)


#: Whether a value is the new extreme: the C++ operator between it and the old one.
BETTER = {"max": ">", "min": "<"}


def place_of_extreme(em: Emitter, op: Extreme, index: Index, k: int) -> str:
    """One element of argmax or argmin."""
    dtype, out, better = op.dtype, op.out.aval.dtype, BETTER[op.kind]

    def at(ix: Ix) -> str:
        return em.value(op.operand, op.at(index, ix))

    best = em.declare(dtype, at(ZERO))
    where = em.declare(out, cpp_literal(0, out))
    with em.loop(op.length) as ix:
        value = at(ix)
        # the first NaN wins, else the first best value
        test = f"{value} {better} {best}"
        if dtype.kind not in "iub":
            test = f"{best} == {best} && ({test} || {value} != {value})"
        with em.block(f"if ({test})"):
            em.line(f"{best} = {value};")
            em.line(f"{where} = ({ctype(out)})({ix});")
    return where


def cumulated(planner: Planner, op: Cumulation) -> None:
    """A cumulative reduction: a loop along the axis for each index of the others."""
    target = planner.output(op.out)

    def body(em: Emitter, index: Index) -> None:
        total = start(em, op.kind, op.dtype)
        with em.loop(op.length) as step:
            at = op.at(index, op.place(step))
            accumulate(em, op.kind, op.dtype, total, em.value(op.operand, at))
            value = finish(em, op.kind, op.dtype, total)
            em.line(f"w_{target.buffer.name}[{target.address(at)}] = {value};")

    if op.length:
        parallel = op.operand.aval.size > 65536
        planner.kernel(op.label, op.others, body, writes=[target], parallel=parallel)


def combine_with(em: Emitter, eqn: JaxprEqn, totals: list[str], values: list[str]) -> None:
    """`totals = combiner(totals, values)`, by the jaxpr of lax.reduce or lax.reduce_window."""
    closed = eqn.params["jaxpr"]
    with em.block(""):
        for total, new in zip(totals, em.inline(open_jaxpr(closed), [*totals, *values]), strict=True):
            em.line(f"{total} = {new};")


def initial(em: Emitter, eqn: JaxprEqn) -> tuple[list[Any], list[str]]:
    """Operands of a variadic reduction, and its accumulators holding the initial values."""
    half = len(eqn.invars) // 2
    operands, starts = list(eqn.invars[:half]), eqn.invars[half:]
    return operands, [em.declare(v.aval.dtype, em.value(v, ())) for v in starts]


def generally_reduced(em: Emitter, op: GeneralReduction, index: Index, k: int) -> str:
    """One element of lax.reduce."""
    operands = op.eqn.invars[: len(op.eqn.invars) // 2]
    if math.prod(op.reduced) == 1:  # XLA combines nothing then, not even with the initial value
        return em.value(operands[k], op.source(index, [ZERO] * len(op.axes)))
    _, totals = initial(em, op.eqn)
    with loop_nest(em, op.reduced) as inner:
        here = op.source(index, inner)
        combine_with(em, op.eqn, totals, [em.value(v, here) for v in operands])
    return totals[k]
