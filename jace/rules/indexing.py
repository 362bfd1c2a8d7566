"""Data movement by indices computed at run time: dynamic slices, gather, the scatter family."""

from __future__ import annotations

from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.index import ZERO, constant
from jace.plan.literals import cpp_literal
from jace.registry import register_index_map
from jace.releases.jaxprs import closed_of
from jace.rules.bounds import checked, clamped
from jace.rules.operations import Scatter, Slice, Update
from jace.rules.structured import computes


@computes(Slice, "dynamic_slice")
def _dynamic_slice(eqn: JaxprEqn) -> Slice:
    operand, *starts = eqn.invars
    sizes = eqn.params["slice_sizes"]
    begin = tuple(
        0 if size == extent else start
        for start, size, extent in zip(starts, sizes, operand.aval.shape, strict=True)
    )
    return Slice(eqn, operand, begin, (1,) * len(sizes))


@computes(Update, "dynamic_update_slice")
def _dynamic_update_slice(eqn: JaxprEqn) -> Update:
    operand, update, *starts = eqn.invars
    return Update(eqn, operand, update, tuple(starts))


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


@computes(Scatter, *_COMBINE)
def _scatter(eqn: JaxprEqn) -> Scatter:
    p = eqn.params
    operand, indices, updates = eqn.invars
    dims = p["dimension_numbers"]
    clips, combiner = p["mode"] == GatherScatterMode.CLIP, _COMBINE[eqn.primitive.name]
    custom = combiner is None and p["update_jaxpr"] is not None  # x.at[i].apply(f): a combiner of the user's
    function = closed_of(p["update_jaxpr"], p["update_consts"]) if custom else None
    return Scatter(eqn, operand, indices, updates, dims, clips, p["unique_indices"], combiner, function)
