"""Reductions over windows; pooling's gradients, which put each window's value where its greatest element is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn

from jace.dtypes import highest, lowest
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.rules.loops.nests import accumulate, finish, loop_nest, start
from jace.rules.loops.reductions import combine_with, initial
from jace.rules.loops.rows import MIN_ROW, RowStep, reduce_rows
from jace.rules.operations import GeneralWindowReduction, WindowReduction, Windows

#: Elements of a window up to which its loops are unrolled, so that the loop around them can be vectorized.
UNROLLED = 16


def _each_offset(em: Emitter, window: Sequence[int], visit: Callable[[list[Ix]], None]) -> None:
    """Emit what `visit` emits for every offset in a window, in order."""
    if math.prod(window) > UNROLLED:
        with loop_nest(em, window) as offsets:
            visit(offsets)
        return
    for place in itertools.product(*(range(n) for n in window)):
        visit([constant(k) for k in place])


def reduced(em: Emitter, op: WindowReduction, index: Index, k: int) -> str:
    """The value of one window."""
    total = start(em, op.kind, op.dtype)

    def visit(offsets: list[Ix]) -> None:
        source, conditions = op.windows.source(em, index, offsets, op.extents)
        with em.block(f"if ({' && '.join(conditions) or 'true'})"):
            accumulate(em, op.kind, op.dtype, total, em.value(op.operand, source))

    _each_offset(em, op.windows.sizes, visit)
    return finish(em, op.kind, op.dtype, total)


def by_rows(planner: Planner, op: WindowReduction) -> bool:
    """Windows of one element along the last dimension: row by row, the test for padding outside of the row's loop."""
    w, shape = op.windows, op.extents
    whole = w.sizes[-1:] == w.strides[-1:] == w.base_dilation[-1:] == (1,)
    if not (whole and w.padding[-1] == (0, 0)) or 0 in shape or shape[-1] < MIN_ROW:
        return False
    window = w.sizes[:-1]

    def steps(em: Emitter, index: Index, step: RowStep) -> None:
        with loop_nest(em, window) as offsets:
            source, conditions = w.source(em, (*index, ZERO), [*offsets, ZERO], shape)
            with em.block(f"if ({' && '.join(conditions) or 'true'})"):
                step(lambda column: em.value(op.operand, (*source[:-1], column)))

    target = planner.output(op.out)
    reduce_rows(planner, op.label, op.kind, op.dtype, target, steps, depth=math.prod(window))
    return True


def generally_reduced(em: Emitter, op: GeneralWindowReduction, index: Index, k: int) -> str:
    """The value of one window of lax.reduce_window."""
    operands, totals = initial(em, op.eqn)
    with loop_nest(em, op.windows.sizes) as offsets:
        source, conditions = op.windows.source(em, index, offsets, op.extents)
        with em.block(f"if ({' && '.join(conditions) or 'true'})"):
            combine_with(em, op.eqn, totals, [em.value(v, source) for v in operands])
    return totals[k]


#: C++ names in scope -> C++ name or expression
_Combiner = Callable[[Emitter, str, str], str]


def _by_jaxpr(jaxpr: Jaxpr) -> _Combiner:
    return lambda em, a, b: em.inline(jaxpr, [a, b])[0]


def _scatter_selected(
    planner: Planner,
    eqn: JaxprEqn,
    operand: Ref,
    source: Ref,
    start_value: Callable[[Emitter], str],
    select: _Combiner,
    scatter: _Combiner,
    padding_value: str | None,
) -> None:
    """The first output: `start_value`, into which each source element is scattered where its window selects.

    The selected element is the last one that `select(best so far, element)` is false of, or the first.

    Args:
        padding_value: what padding takes part in the selection with (what it is selected for is dropped); None
            leaves padding out.
    """
    windows = Windows.of(eqn.params)
    target = planner.output(eqn.outvars[0])
    dtype, pointer = operand.dtype, f"w_{target.buffer.name}"
    geometry = zip(windows.sizes, windows.strides, windows.padding, strict=True)
    apart = [size == stride == 1 and pads == (0, 0) for size, stride, pads in geometry]
    rows = (*apart, False).index(False)  # leading dimensions along which windows are apart

    def clear(em: Emitter, index: Index) -> None:
        em.line(f"{pointer}[{target.address(index)}] = {start_value(em)};")

    def choose(em: Emitter, best: str, slot: str, value: str, place: str) -> None:
        keep = em.declare(np.bool_, f"{slot} != -2")
        with em.block(f"if ({keep})"):
            em.line(f"{keep} = {select(em, best, value)};")
        with em.block(f"if (!{keep})"):
            em.line(f"{best} = {value}; {slot} = {place};")

    def body(em: Emitter, index: Index) -> None:
        with loop_nest(em, source.shape[rows:]) as inner:
            at = (*index, *inner)
            best = em.declare(dtype, cpp_literal(0, dtype))
            slot = em.declare(np.int64, "-2")  # -1: padding was selected
            with loop_nest(em, windows.sizes) as offsets:
                place, conditions = windows.source(em, at, offsets, operand.shape)
                inside = " && ".join(conditions) or "true"
                if padding_value is None or not conditions:
                    with em.block(f"if ({inside})"):
                        choose(em, best, slot, em.load(operand, place), str(target.address(place)))
                else:
                    value, address = em.declare(dtype, padding_value), em.declare(np.int64, "-1")
                    with em.block(f"if ({inside})"):
                        em.line(f"{value} = {em.load(operand, place)}; {address} = {target.address(place)};")
                    choose(em, best, slot, value, address)
            with em.block(f"if ({slot} >= 0)"):
                old = em.let(dtype, f"{pointer}[{slot}]")
                em.line(f"{pointer}[{slot}] = {scatter(em, old, em.load(source, at))};")

    planner.kernel("clear", target.shape, clear, writes=[target], independent=True)
    planner.kernel(
        eqn.primitive.name,
        source.shape[:rows],
        body,
        writes=[target],
        reads=[target],
        parallel=int(np.prod(source.shape)) > 65536,
    )


def select_and_scatter(planner: Planner, eqn: JaxprEqn) -> None:
    """By jaxprs that select and combine."""
    operand, source, start_value = eqn.invars
    _scatter_selected(
        planner,
        eqn,
        planner.stored(operand),
        planner.stored(source),
        lambda em: em.value(start_value, ()),
        _by_jaxpr(eqn.params["select_jaxpr"]),
        _by_jaxpr(eqn.params["scatter_jaxpr"]),
        None,
    )


def select_and_scatter_add(planner: Planner, eqn: JaxprEqn) -> None:
    """As select_and_scatter, but JAX pads the operand with the identity of max or min, which may be selected."""
    source, operand = eqn.invars
    dtype = operand.aval.dtype
    greatest = eqn.params["select_prim"].name in ("ge", "gt")
    operator = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}[eqn.params["select_prim"].name]
    _scatter_selected(
        planner,
        eqn,
        planner.stored(operand),
        planner.stored(source),
        lambda em: cpp_literal(0, dtype),
        lambda em, best, value: f"{best} {operator} {value}",
        lambda em, old, update: f"jace::add({old}, {update})",
        cpp_literal(lowest(dtype) if greatest else highest(dtype), dtype),
    )
