"""Windowed reductions, and what scatters to the element that a window selects (max-pooling's gradient).

select_and_gather_add has no rule: its CPU lowering is a reduce_window of pairs, which the generic expansion traces.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn

from jace.dtypes import highest, lowest
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map, register_region
from jace.rules.nodes import accumulating
from jace.rules.reduction import (
    MIN_ROW,
    RowStep,
    accumulate,
    combine_with,
    finish,
    initial,
    loop_nest,
    reduce_rows,
    start,
)


def window_source(
    em: Emitter,
    index: Index,
    offsets: list[Ix],
    params: Mapping[str, Any],
    shape: tuple[int, ...],
) -> tuple[Index, list[str]]:
    """Operand index of a window element, and the conditions under which it is not padding.

    `params` has window_strides, padding, window_dilation and base_dilation (lax.reduce_window).
    """
    source, conditions = [], []
    rows = zip(
        index,
        offsets,
        params["window_strides"],
        params["padding"],
        params["window_dilation"],
        params["base_dilation"],
        shape,
        strict=True,
    )
    for ix, offset, stride, (low, _), dilation, base, extent in rows:
        at = ix * stride + offset * dilation - low
        limits = em.bounds(at)
        if base != 1:
            conditions += [f"({at}) >= 0", f"({at}) % {base} == 0"]
            at = em.opaque(f"({at}) / {base}")
            limits = None
        if not limits or limits[0] < 0:
            conditions.append(f"({at}) >= 0")
        if not limits or limits[1] > extent:
            conditions.append(f"({at}) < {extent}")
        source.append(at)
    return tuple(source), conditions


#: Elements of a window up to which its loops are unrolled, so that the loop around them can be vectorized.
UNROLLED = 16


def _each_offset(em: Emitter, window: Sequence[int], visit: Callable[[list[Ix]], None]) -> None:
    """Emit what `visit` emits for every offset in a window, in order."""
    if math.prod(window) > UNROLLED:
        with loop_nest(em, list(window)) as offsets:
            visit(offsets)
        return
    for place in itertools.product(*(range(n) for n in window)):
        visit([constant(k) for k in place])


def _reduce_window(kind: str) -> Callable[..., str]:
    def rule(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
        operand = eqn.invars[0]
        dtype = operand.aval.dtype
        total = start(em, kind, dtype)

        def visit(offsets: list[Ix]) -> None:
            source, conditions = window_source(em, index, offsets, eqn.params, operand.aval.shape)
            with em.block(f"if ({' && '.join(conditions) or 'true'})"):
                accumulate(em, kind, dtype, total, em.value(operand, source))

        _each_offset(em, eqn.params["window_dimensions"], visit)
        return finish(em, kind, dtype, total)

    return rule


def _reduce_window_rows(kind: str) -> Callable[[Planner, JaxprEqn], bool]:
    """Windows of one element along the last dimension: row by row, the test for padding outside of the row's loop."""

    def build(planner: Planner, eqn: JaxprEqn) -> bool:
        operand, (result,) = eqn.invars[0], eqn.outvars
        shape, dtype = operand.aval.shape, operand.aval.dtype
        p = eqn.params
        whole = p["window_dimensions"][-1:] == p["window_strides"][-1:] == p["base_dilation"][-1:] == (1,)
        if not (whole and tuple(p["padding"][-1]) == (0, 0)) or 0 in shape or shape[-1] < MIN_ROW:
            return False
        window = list(p["window_dimensions"][:-1])

        def steps(em: Emitter, index: Index, step: RowStep) -> None:
            with loop_nest(em, window) as offsets:
                at = (*index, ZERO)
                source, conditions = window_source(em, at, [*offsets, ZERO], p, shape)
                with em.block(f"if ({' && '.join(conditions) or 'true'})"):
                    step(lambda column: em.value(operand, (*source[:-1], column)))

        target = planner.output(result)
        reduce_rows(planner, eqn, kind, dtype, target, steps, depth=math.prod(window))
        return True

    return build


def _reduce_window_node(reduction: str) -> accumulating.Node:
    """A map over all elements of all windows."""

    def node(planner: Planner, eqn: JaxprEqn) -> bool:
        (operand, *_), (out,) = eqn.invars, eqn.outvars
        window, shape = tuple(eqn.params["window_dimensions"]), tuple(out.aval.shape)
        if not accumulating.small((*shape, *window)):
            return False
        total = accumulating.carrier(operand.aval.dtype, reduction)
        start_value = accumulating.identity(operand.aval.dtype, reduction)
        source = accumulating.in_dtype(planner, planner.stored(operand), total)

        def value(em: Emitter, at: Index) -> str:
            place, conditions = window_source(
                em, at[: len(shape)], list(at[len(shape) :]), eqn.params, operand.aval.shape
            )
            if not conditions:
                return em.load(source, place)
            return em.select(
                " && ".join(conditions),
                total,
                lambda: em.load(source, place),
                lambda: cpp_literal(start_value, total),
            )

        accumulating.accumulate(planner, eqn, reduction, start_value, window, value)
        return True

    return node


for _kind in ("sum", "max", "min"):
    register_index_map(
        f"reduce_window_{_kind}",
        cost=32,
        materialize=True,
        build=_reduce_window_rows(_kind),
        node=_reduce_window_node(_kind),
    )(_reduce_window(_kind))


@register_index_map("reduce_window", cost=32, materialize=True)
def _general_reduce_window(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operands, totals = initial(em, eqn)
    with loop_nest(em, list(eqn.params["window_dimensions"])) as offsets:
        source, conditions = window_source(em, index, offsets, eqn.params, operands[0].aval.shape)
        with em.block(f"if ({' && '.join(conditions) or 'true'})"):
            combine_with(em, eqn, totals, [em.value(v, source) for v in operands])
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
    p = eqn.params
    target = planner.output(eqn.outvars[0])
    dtype, pointer = operand.dtype, f"w_{target.buffer.name}"
    where = {**p, "window_dilation": (1,) * len(operand.shape), "base_dilation": (1,) * len(operand.shape)}
    geometry = zip(p["window_dimensions"], p["window_strides"], p["padding"], strict=True)
    apart = [window == stride == 1 and tuple(pads) == (0, 0) for window, stride, pads in geometry]
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
        with loop_nest(em, list(source.shape[rows:])) as inner:
            at = (*index, *inner)
            best = em.declare(dtype, cpp_literal(0, dtype))
            slot = em.declare(np.int64, "-2")  # -1: padding was selected
            with loop_nest(em, list(p["window_dimensions"])) as offsets:
                place, conditions = window_source(em, at, offsets, where, operand.shape)
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


@register_region("select_and_scatter", lazy=(2,))
def _select_and_scatter(planner: Planner, eqn: JaxprEqn) -> None:
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


@register_region("select_and_scatter_add")
def _select_and_scatter_add(planner: Planner, eqn: JaxprEqn) -> None:
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
