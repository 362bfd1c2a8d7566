"""Sorting: sort with several operands and keys, top_k."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.dtypes import ctype
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import Ix, symbol
from jace.registry import register_region


def _sorted_order(
    em: Emitter, comparison: Callable[[Ix, Ix], Iterator[str]], extent: int, order: Ref, scratch: Ref
) -> str:
    """Emit the stable sorting permutation of `extent` positions; answer the C++ pointer to it.

    Args:
        comparison: yields the statements of a C++ function that returns whether position a comes before b.
    """
    permutation = f"w_{order.buffer.name}"
    em.line(f"for (jace::i64 n = 0; n < {extent}; ++n) {permutation}[n] = n;")
    em.ranges["a"] = em.ranges["b"] = (0, extent)
    with em.block("auto before = [&](jace::i64 a, jace::i64 b) -> bool"):
        for statement in comparison(symbol("a"), symbol("b")):
            em.line(statement)
    em.lines[-1] += ";"
    em.line(f"jace::stable_sort({permutation}, w_{scratch.buffer.name}, {extent}, before);")
    return permutation


def _rows(index: Index, axis: int, position: Ix) -> Index:
    return (*index[:axis], position, *index[axis:])


@register_region("sort")
def _sort(planner: Planner, eqn: JaxprEqn) -> None:
    axis = eqn.params["dimension"]
    shape = tuple(eqn.invars[0].aval.shape)
    extent = shape[axis] if shape else 1
    refs = [planner.stored(v) for v in eqn.invars]
    outs = [planner.output(v) for v in eqn.outvars]
    if not shape:
        for atom, out in zip(eqn.invars, outs, strict=True):
            planner.copy(atom, out)
        return
    order, scratch = planner.temp((extent,), np.int64), planner.temp((extent,), np.int64)

    def body(em: Emitter, index: Index) -> None:
        keys = refs[: eqn.params["num_keys"]]

        def lexicographic(a: Ix, b: Ix) -> Iterator[str]:
            for position, ref in enumerate(keys):
                left, right = (em.load(ref, _rows(index, axis, ix)) for ix in (a, b))
                if position == len(keys) - 1:
                    yield f"return jace::sort_less({left}, {right});"
                else:
                    yield f"if (const int c = jace::sort_compare({left}, {right})) return c < 0;"

        permutation = _sorted_order(em, lexicographic, extent, order, scratch)
        with em.loop(extent) as ix:
            source = em.opaque(f"{permutation}[{ix}]", (0, extent))
            for ref, out in zip(refs, outs, strict=True):
                value = em.load(ref, _rows(index, axis, source))
                em.line(f"w_{out.buffer.name}[{out.address(_rows(index, axis, ix))}] = {value};")

    rows = (*shape[:axis], *shape[axis + 1 :])
    planner.kernel("sort", rows, body, writes=[*outs, order, scratch])


@register_region("top_k")
def _top_k(planner: Planner, eqn: JaxprEqn) -> None:
    operand = eqn.invars[0]
    k = eqn.params["k"]
    axis = eqn.params.get("axis", -1) % operand.aval.ndim
    shape = tuple(operand.aval.shape)
    extent = shape[axis]
    ref = planner.stored(operand)
    values, indices = (planner.output(v) for v in eqn.outvars)
    order, scratch = planner.temp((extent,), np.int64), planner.temp((extent,), np.int64)
    index_type: Any = eqn.outvars[1].aval.dtype

    def body(em: Emitter, index: Index) -> None:
        def descending(a: Ix, b: Ix) -> Iterator[str]:
            left, right = (em.load(ref, _rows(index, axis, ix)) for ix in (a, b))
            yield f"return jace::sort_compare({left}, {right}) > 0;"  # NaN counts as the largest

        permutation = _sorted_order(em, descending, extent, order, scratch)
        with em.loop(k) as ix:
            source = em.opaque(f"{permutation}[{ix}]", (0, extent))
            at = _rows(index, axis, ix)
            value = em.load(ref, _rows(index, axis, source))
            em.line(f"w_{values.buffer.name}[{values.address(at)}] = {value};")
            em.line(f"w_{indices.buffer.name}[{indices.address(at)}] = ({ctype(index_type)})({source});")

    rows = (*shape[:axis], *shape[axis + 1 :])
    if k:
        planner.kernel("top_k", rows, body, writes=[values, indices, order, scratch])
