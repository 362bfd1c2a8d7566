"""Reductions, cumulative ones, and the places of extremes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import bits, kind
from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import constant, symbol
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.combining import REDUCTIONS, combine, convert
from jace.rules.nodes.accumulating import (
    Node,
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


def reduce(reduction: str) -> Node:
    """The node of `reduce_sum`, `reduce_max`, ...: DaCe's Reduce."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        axes, dtype = tuple(sorted(eqn.params["axes"])), operand.aval.dtype
        if not axes or 0 in out.aval.shape:
            return False
        total = carrier(dtype, reduction)
        start = identity(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        with computed_in(planner, planner.output(out, part=True), total) as result:
            reduce_into(planner, reduction, source, axes, result, start)
        return True

    return node


def cumulative(reduction: str) -> Node:
    """The node of `cumsum` and the like: a loop whose carry is combined with and stored, step by step."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        axis, dtype = eqn.params["axis"], operand.aval.dtype
        if 0 in out.aval.shape:
            return False
        extent = out.aval.shape[axis]
        total = carrier(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        target = planner.output(out, part=True)
        carry = planner.temp([n for d, n in enumerate(out.aval.shape) if d != axis], total)
        fill(planner, carry, identity(dtype, reduction))
        name = planner.loop_symbol(extent)
        step = constant(extent - 1) - symbol(name) if eqn.params["reverse"] else symbol(name)

        def at(index: Index) -> Index:
            return (*index[:axis], step, *index[axis:])

        def combine_step(em: Emitter, index: Index) -> Sequence[Store]:
            new = em.load(source, at(index))
            if not planner.goes_round("loop_to_map_reads_resolution"):
                return [Store(carry, em.let(total, new), wcr=wcr(reduction, total))]
            old = em.load(carry, index)
            return [Store(carry, em.let(total, combine(REDUCTIONS[reduction][0], total, old, new)))]

        def store_step(em: Emitter, index: Index) -> Sequence[Store]:
            value = em.let(target.dtype, convert(total, target.dtype, em.load(carry, index)))
            return [Store(target, value, at=at(index))]

        with planner.nested() as body:
            planner.exact_kernel("combine", carry.shape, combine_step)
            planner.exact_kernel("store", carry.shape, store_step)
        planner.add_loop(eqn.primitive.name, body, symbol=name, extent=extent)
        return True

    return node


def extreme(reduction: str) -> Node:
    """The node of `argmax` and `argmin`: DaCe's for integers, else two reductions.

    These are of the extreme value, then of the least index at which it (or a NaN) is: DaCe's node finds no index where
    all values are infinite (`bug:argmax_of_infinite`), and has no literal for the least integer of 64 bits.
    """

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand,), (out,) = eqn.invars, eqn.outvars
        (axis,), dtype = eqn.params["axes"], operand.aval.dtype
        if 0 in out.aval.shape or kind(dtype) == "c":
            return False
        total = carrier(dtype, reduction)
        source = in_dtype(planner, planner.stored(operand), total)
        target = planner.output(out)
        place = carrier(target.dtype, "min")
        whole = kind(dtype) in "iu" or not planner.goes_round("argmax_of_infinite")
        if whole and bits(total) < 64 and not source.prefix and small(source.shape):
            with computed_in(planner, target, place) as where:
                name = f"Arg{reduction.capitalize()}"
                call(planner, f"arg{reduction}", name, {"_x": source}, {"_idx": where}, {"axis": axis})
            return True
        best = planner.temp(target.shape, total)
        reduce_into(planner, reduction, source, (axis,), best, identity(dtype, reduction))
        last = np.asarray(source.shape[axis] - 1, place)

        def position(em: Emitter, index: Index) -> str:
            *kept, along = index
            value = em.load(source, (*kept[:axis], along, *kept[axis:]))
            wanted = em.load(best, tuple(kept))
            here = f"{value} == {wanted} || {value} != {value}"
            found = convert(np.int64, place, em.let(np.int64, str(along)))
            return em.let(place, f"({here}) ? {found} : {cpp_literal(last, place)}")

        with computed_in(planner, target, place) as where:
            accumulate_into(
                planner, f"index_of_{reduction}", "min", where, last, (source.shape[axis],), position
            )
        return True

    return node
