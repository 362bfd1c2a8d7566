"""Reductions, cumulative ones, the places of extremes, and reductions over windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jace.dtypes import bits, kind
from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import symbol
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, combine, convert
from jace.rules.nodes.accumulating import (
    accumulate,
    accumulate_into,
    call,
    carrier,
    computed_in,
    fill,
    identity,
    in_dtype,
    reduce_into,
    small,
    wcr,
)
from jace.rules.operations import Cumulation, Extreme, Reduction, WindowReduction


def reduced(planner: Planner, op: Reduction) -> bool:
    """DaCe's Reduce."""
    if not op.axes or 0 in op.shape:
        return False
    total = carrier(op.dtype, op.kind)
    source = in_dtype(planner, planner.stored(op.operand), total)
    with computed_in(planner, planner.output(op.out, part=True), total) as result:
        reduce_into(planner, op.kind, source, op.axes, result, identity(op.dtype, op.kind))
    return True


def cumulated(planner: Planner, op: Cumulation) -> bool:
    """A loop whose carry is combined with and stored, step by step."""
    if 0 in op.shape:
        return False
    total = carrier(op.dtype, op.kind)
    source = in_dtype(planner, planner.stored(op.operand), total)
    target = planner.output(op.out, part=True)
    carry = planner.temp(op.others, total)
    fill(planner, carry, identity(op.dtype, op.kind))
    name = planner.loop_symbol(op.length)
    place = op.place(symbol(name))

    def combine_step(em: Emitter, index: Index) -> Sequence[Store]:
        new = em.load(source, op.at(index, place))
        if not planner.goes_round("loop_to_map_reads_resolution"):
            return [Store(carry, em.let(total, new), wcr=wcr(op.kind, total))]
        old = em.load(carry, index)
        return [Store(carry, em.let(total, combine(REDUCTIONS[op.kind][0], total, old, new)))]

    def store_step(em: Emitter, index: Index) -> Sequence[Store]:
        value = em.let(target.dtype, convert(total, target.dtype, em.load(carry, index)))
        return [Store(target, value, at=op.at(index, place))]

    with planner.nested() as body:
        planner.exact_kernel("combine", carry.shape, combine_step)
        planner.exact_kernel("store", carry.shape, store_step)
    planner.add_loop(op.label, body, symbol=name, extent=op.length)
    return True


def place_of_extreme(planner: Planner, op: Extreme) -> bool:
    """DaCe's ArgMax or ArgMin of integers, else two reductions.

    These are of the extreme value, then of the least index at which it (or a NaN) is: DaCe's node finds no index where
    all values are infinite (`bug:argmax_of_infinite`), and has no literal for the least integer of 64 bits.
    """
    axis, dtype = op.axis, op.dtype
    if 0 in op.shape or kind(dtype) == "c":
        return False
    total = carrier(dtype, op.kind)
    source = in_dtype(planner, planner.stored(op.operand), total)
    target = planner.output(op.out)
    place = carrier(target.dtype, "min")
    whole = kind(dtype) in "iu" or not planner.goes_round("argmax_of_infinite")
    if whole and bits(total) < 64 and not source.prefix and small(source.shape):
        with computed_in(planner, target, place) as where:
            name = f"Arg{op.kind.capitalize()}"
            call(planner, f"arg{op.kind}", name, {"_x": source}, {"_idx": where}, {"axis": axis})
        return True
    best = planner.temp(target.shape, total)
    reduce_into(planner, op.kind, source, (axis,), best, identity(dtype, op.kind))
    last = np.asarray(op.length - 1, place)

    def position(em: Emitter, index: Index) -> str:
        *kept, along = index
        value = em.load(source, op.at(kept, along))
        wanted = em.load(best, tuple(kept))
        here = f"{value} == {wanted} || {value} != {value}"
        found = convert(np.int64, place, em.let(np.int64, str(along)))
        return em.let(place, f"({here}) ? {found} : {cpp_literal(last, place)}")

    with computed_in(planner, target, place) as where:
        accumulate_into(planner, f"index_of_{op.kind}", "min", where, last, (op.length,), position)
    return True


def reduced_in_windows(planner: Planner, op: WindowReduction) -> bool:
    """A map over all elements of all windows."""
    rank = len(op.shape)
    if not small((*op.shape, *op.windows.sizes)):
        return False
    total, start = carrier(op.dtype, op.kind), identity(op.dtype, op.kind)
    source = in_dtype(planner, planner.stored(op.operand), total)

    def value(em: Emitter, at: Index) -> str:
        place, conditions = op.windows.source(em, at[:rank], at[rank:], op.extents)
        if not conditions:
            return em.load(source, place)
        return em.select(
            " && ".join(conditions),
            total,
            lambda: em.load(source, place),
            lambda: cpp_literal(start, total),
        )

    accumulate(planner, op, op.kind, start, op.windows.sizes, value)
    return True
