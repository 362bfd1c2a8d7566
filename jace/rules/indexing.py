"""Data movement by indices computed at run time: dynamic slices, gather, the scatter family."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map, register_region
from jace.releases.jaxprs import closed_of
from jace.rules.bounds import checked, clamped
from jace.rules.combining import combine
from jace.rules.nodes import copies, scatters

#: Operand positions after the first: they may be recomputed where they are read.
_ALL_BUT_FIRST = tuple(range(1, 64))


@register_index_map("dynamic_slice", node=copies.dynamic_slice)
def _dynamic_slice(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand, *starts = eqn.invars
    sizes = eqn.params["slice_sizes"]
    source = tuple(
        ix if size == extent else clamped(em, start, (), extent - size) + ix
        for ix, start, extent, size in zip(index, starts, operand.aval.shape, sizes, strict=True)
    )
    return em.value(operand, source)


@register_region("dynamic_update_slice", lazy=_ALL_BUT_FIRST, updates=0, node=copies.dynamic_update_slice)
def _dynamic_update_slice(planner: Planner, eqn: JaxprEqn) -> None:
    operand, update, *starts = eqn.invars
    target = planner.updated(eqn)

    def body(em: Emitter, index: Index) -> None:
        place = tuple(
            ix if size == extent else clamped(em, start, (), extent - size) + ix
            for ix, start, extent, size in zip(
                index, starts, operand.aval.shape, update.aval.shape, strict=True
            )
        )
        em.line(f"w_{target.buffer.name}[{target.address(place)}] = {em.value(update, index)};")

    planner.kernel(
        "dynamic_update_slice", update.aval.shape, body, writes=[target], reads=[target], independent=True
    )


@register_index_map("gather", cost=4)
def _gather(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    operand, indices = eqn.invars
    dims, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]
    shape = operand.aval.shape
    batch = tuple(ix for d, ix in enumerate(index) if d not in dims.offset_dims)
    offsets = iter(index[d] for d in dims.offset_dims)
    hidden = {*dims.collapsed_slice_dims, *dims.operand_batching_dims}
    source = [ZERO if d in hidden else next(offsets) for d in range(len(shape))]
    for d, position in zip(dims.operand_batching_dims, dims.start_indices_batching_dims, strict=True):
        source[d] = batch[position]
    fill = eqn.params["mode"] == GatherScatterMode.FILL_OR_DROP
    conditions = []
    for component, d in enumerate(dims.start_index_map):
        at = (*batch, constant(component))
        last = shape[d] - sizes[d]
        if fill:
            start, condition = checked(em, indices, at, last)
            if condition is not None:
                conditions.append(condition)
        else:
            start = clamped(em, indices, at, last)
        source[d] = source[d] + start
    if not conditions:
        return em.value(operand, tuple(source))
    dtype = operand.aval.dtype
    filler = cpp_literal(eqn.params["fill_value"], dtype)
    if 0 in shape:
        return filler
    return em.select(" && ".join(conditions), dtype, lambda: em.value(operand, tuple(source)), lambda: filler)


#: How each scatter combines the old element with the update: an elementwise primitive, or the update itself.
_COMBINE = {
    "scatter": None,
    "scatter-add": "add",
    "scatter-sub": "sub",
    "scatter-mul": "mul",
    "scatter-min": "min",
    "scatter-max": "max",
}


def _combiner(planner: Planner, eqn: JaxprEqn) -> Callable[[Emitter, str, str], str]:
    """How an equation of the scatter family combines: (emitter, the slot as an lvalue, the update) -> expression."""
    operation = _COMBINE[eqn.primitive.name]
    dtype = eqn.invars[0].aval.dtype
    body = eqn.params["update_jaxpr"]
    if operation is not None or body is None:
        return lambda em, old, new: combine(operation, dtype, old, new)
    # x.at[i].apply(f): a scatter with a combiner of the user's
    closed = closed_of(body, eqn.params["update_consts"])
    planner.bind_consts(closed)
    return lambda em, old, new: em.inline(closed.jaxpr, [em.let(dtype, old), new])[0]


def _scatter_node(planner: Planner, eqn: JaxprEqn) -> bool:
    replaces = _COMBINE[eqn.primitive.name] is None and eqn.params["update_jaxpr"] is None
    return scatters.scatter(planner, eqn, None if replaces else _combiner(planner, eqn))


@register_region(*_COMBINE, lazy=(1, 2), updates=0, node=_scatter_node)
def _scatter(planner: Planner, eqn: JaxprEqn) -> None:
    operand, indices, updates = eqn.invars
    dims = eqn.params["dimension_numbers"]
    shape = tuple(operand.aval.shape)
    target = planner.updated(eqn)
    if 0 in shape or 0 in updates.aval.shape:
        return
    window_dims = dims.update_window_dims
    scatter_dims = [d for d in range(updates.aval.ndim) if d not in window_dims]
    hidden = {*dims.inserted_window_dims, *dims.operand_batching_dims}
    visible = [d for d in range(len(shape)) if d not in hidden]
    window = {d: updates.aval.shape[w] for d, w in zip(visible, window_dims, strict=True)}
    clip = eqn.params["mode"] == GatherScatterMode.CLIP
    combined = _combiner(planner, eqn)
    pointer = f"w_{target.buffer.name}"

    def store(em: Emitter, at: Sequence[Ix]) -> None:
        """Scatter the update element at index `at`."""
        batch = tuple(at[d] for d in scatter_dims)
        place = [ZERO] * len(shape)
        for d, w in zip(visible, window_dims, strict=True):
            place[d] = at[w]
        for d, position in zip(dims.operand_batching_dims, dims.scatter_indices_batching_dims, strict=True):
            place[d] = batch[position]
        conditions = []
        for component, d in enumerate(dims.scatter_dims_to_operand_dims):
            last = shape[d] - window.get(d, 1)
            where = (*batch, constant(component))
            if clip:
                start = clamped(em, indices, where, last)
            else:
                start, condition = checked(em, indices, where, last)
                if condition is not None:
                    conditions.append(condition)
            place[d] = place[d] + start

        def write() -> None:
            slot = f"{pointer}[{target.address(tuple(place))}]"
            value = em.value(updates, tuple(at))
            em.line(f"{slot} = {combined(em, slot, value)};")

        if not conditions:
            write()
        elif "false" not in conditions:
            with em.block(f"if ({' && '.join(conditions)})"):
                write()

    extents = updates.aval.shape
    points = int(np.prod([extents[d] for d in scatter_dims], dtype=np.int64))
    if points == 1 or eqn.params["unique_indices"]:
        planner.kernel(
            eqn.primitive.name, extents, store, writes=[target], reads=[target], independent=points == 1
        )
        return

    def in_order(em: Emitter, index: Index) -> None:
        """Duplicate indices: updates are applied in row-major order, the last one wins."""
        order = [*scatter_dims, *window_dims]
        at = [ZERO] * len(extents)

        def loops(remaining: list[int]) -> None:
            if not remaining:
                store(em, at)
                return
            d = remaining[0]
            with em.loop(extents[d]) as ix:
                at[d] = ix
                loops(remaining[1:])

        loops(order)

    planner.kernel(eqn.primitive.name, (), in_order, writes=[target], reads=[target])
