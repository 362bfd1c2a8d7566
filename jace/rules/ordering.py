"""Sorting: sort with several operands and keys, top_k, approx_top_k."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import ctype
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import Ix, symbol
from jace.plan.literals import cpp_literal
from jace.registry import register_region
from jace.releases.xla import XLA

#: Yields the statements of a C++ function that returns whether position a comes before position b.
Comparison = Callable[[Emitter, Index, Ix, Ix], Iterator[str]]

#: Results from which top_k sorts a row instead of inserting into the best so far.
INSERTION_LIMIT = 64


def _rows(index: Index, axis: int, position: Ix) -> Index:
    return (*index[:axis], position, *index[axis:])


def _take_in_order(
    planner: Planner,
    eqn: JaxprEqn,
    axis: int,
    comparison: Comparison,
    sources: Sequence[Ref | None],
    outs: Sequence[Ref],
    *,
    stable: bool,
) -> None:
    """Write the first `outs[0].shape[axis]` elements of each row of `sources` in an order.

    Args:
        sources: arrays of one shape; None stands for the positions along `axis`.
        stable: equal elements keep their order; otherwise they end up as std::sort leaves them.
    """
    shape = tuple(eqn.invars[0].aval.shape)
    extent, count = shape[axis], outs[0].shape[axis]
    if count == 0:
        return
    order = planner.temp((extent,), np.int64)
    insertion = stable and count < min(extent, INSERTION_LIMIT)
    scratch = planner.temp((extent,), np.int64) if stable and not insertion else None

    def body(em: Emitter, index: Index) -> None:
        permutation = f"w_{order.buffer.name}"
        em.line(f"for (jace::i64 n = 0; n < {extent}; ++n) {permutation}[n] = n;")
        em.ranges["a"] = em.ranges["b"] = (0, extent)
        with em.block("auto before = [&](jace::i64 a, jace::i64 b) -> bool"):
            for statement in comparison(em, index, symbol("a"), symbol("b")):
                em.line(statement)
        em.semicolon()
        if insertion:
            em.line(f"jace::sort::first({permutation}, {extent}, {count}, before);")
        elif scratch:
            em.line(f"jace::sort::stable({permutation}, w_{scratch.buffer.name}, {extent}, before);")
        else:
            em.line(f"jace::sort::unstable({permutation}, {extent}, before);")
        with em.loop(count) as ix:
            place = em.opaque(f"{permutation}[{ix}]", (0, extent))
            for ref, out in zip(sources, outs, strict=True):
                position = f"({ctype(out.dtype)})({place})"
                value = em.load(ref, _rows(index, axis, place)) if ref else position
                em.line(f"w_{out.buffer.name}[{out.address(_rows(index, axis, ix))}] = {value};")

    rows = (*shape[:axis], *shape[axis + 1 :])
    planner.kernel(eqn.primitive.name, rows, body, writes=[*outs, order, *([scratch] if scratch else [])])


@register_region("sort")
def _sort(planner: Planner, eqn: JaxprEqn) -> None:
    """Lexicographic in the first `num_keys` operands, NaN last, -0 equal to 0, complex as (re, im)."""
    p = eqn.params
    axis = p["dimension"]
    refs = [planner.stored(v) for v in eqn.invars]
    outs = [planner.output(v) for v in eqn.outvars]

    def lexicographic(em: Emitter, index: Index, a: Ix, b: Ix) -> Iterator[str]:
        *first, last = refs[: p["num_keys"]]
        for ref in first:
            left, right = (em.load(ref, _rows(index, axis, ix)) for ix in (a, b))
            yield f"if (const int c = jace::sort_compare({left}, {right})) return c < 0;"
        left, right = (em.load(last, _rows(index, axis, ix)) for ix in (a, b))
        yield f"return jace::sort_less({left}, {right});"

    _take_in_order(planner, eqn, axis, lexicographic, refs, outs, stable=p["is_stable"])


@register_region("top_k")
def _top_k(planner: Planner, eqn: JaxprEqn) -> None:
    """Descending, equal elements by position; floats by their bits (NaN > inf, 0 > -0, -NaN last)."""
    operand = eqn.invars[0]
    axis = eqn.params.get("axis", -1) % operand.aval.ndim  # jax < 0.8 has the last axis only
    ref = planner.stored(operand)
    outs = [planner.output(v) for v in eqn.outvars]
    _take_in_order(planner, eqn, axis, _descending(ref, axis), [ref, None], outs, stable=True)


def _descending(ref: Ref, axis: int) -> Comparison:
    def comparison(em: Emitter, index: Index, a: Ix, b: Ix) -> Iterator[str]:
        left, right = (em.load(ref, _rows(index, axis, ix)) for ix in (a, b))
        yield f"return jace::sort::total_order({left}) > jace::sort::total_order({right});"

    return comparison


@register_region("approx_top_k")
def _approx_top_k(planner: Planner, eqn: JaxprEqn) -> None:
    """Exact on CPU, but with more results than `k` where the caller wants them unaggregated.

    Follows what XLA makes of its fallback (ApproxTopKFallback in xla/hlo/builder/lib/approx_topk.cc): one result
    is a reduction in which the last of equal elements wins; the greatest f32 along the first or last dimension,
    if not all of them, are a top_k (TopkRewriter); all else is an unstable sort by `>` or `<`, which NaN makes
    no order of, until jaxlib 0.11: from then on a stable one, NaN the greatest.
    """
    operand = eqn.invars[0]
    p = eqn.params
    axis = p["reduction_dimension"] % operand.aval.ndim
    dtype = operand.aval.dtype
    ref = planner.stored(operand)
    outs = [planner.output(v) for v in eqn.outvars]
    count = outs[0].shape[axis]
    better = ">" if p["is_max_k"] else "<"

    def plain(em: Emitter, index: Index, a: Ix, b: Ix) -> Iterator[str]:
        left, right = (em.load(ref, _rows(index, axis, ix)) for ix in (a, b))
        yield f"return {left} {better} {right};"

    def ordered(em: Emitter, index: Index, a: Ix, b: Ix) -> Iterator[str]:
        first, second = (em.load(ref, _rows(index, axis, ix)) for ix in ((b, a) if p["is_max_k"] else (a, b)))
        yield f"return jace::sort_less({first}, {second});"

    if count == 1:
        _best(planner, eqn, axis, ref, outs, better)
    elif (
        p["is_max_k"] and dtype == np.float32 and count < ref.shape[axis] and axis in (0, len(ref.shape) - 1)
    ):
        _take_in_order(planner, eqn, axis, _descending(ref, axis), [ref, None], outs, stable=True)
    elif XLA >= 1100:
        _take_in_order(planner, eqn, axis, ordered, [ref, None], outs, stable=True)
    else:
        _take_in_order(planner, eqn, axis, plain, [ref, None], outs, stable=False)


def _best(planner: Planner, eqn: JaxprEqn, axis: int, ref: Ref, outs: Sequence[Ref], better: str) -> None:
    shape = ref.shape
    start: Any = -np.inf if better == ">" else np.inf

    def body(em: Emitter, index: Index) -> None:
        best = em.declare(ref.dtype, cpp_literal(start, ref.dtype))
        where = em.declare(np.int64, "-1")
        with em.loop(shape[axis]) as ix:
            value = em.load(ref, _rows(index, axis, ix))
            with em.block(f"if (!({best} {better} {value}))"):
                em.line(f"{best} = {value};")
                em.line(f"{where} = {ix};")
        at = _rows(index, axis, Ix())
        for out, value in zip(outs, (best, where), strict=True):
            em.line(f"w_{out.buffer.name}[{out.address(at)}] = ({ctype(out.dtype)})({value});")

    planner.kernel(eqn.primitive.name, (*shape[:axis], *shape[axis + 1 :]), body, writes=outs)
