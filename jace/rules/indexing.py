"""Data movement by indices computed at run time: dynamic slices, gather, the scatter family."""

from __future__ import annotations

from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from jace.releases.jaxprs import closed_of
from jace.rules.operations import Gather, Scatter, Slice, Update
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


@computes(Gather, "gather")
def _gather(eqn: JaxprEqn) -> Gather:
    p = eqn.params
    operand, indices = eqn.invars
    fill = p["fill_value"] if p["mode"] == GatherScatterMode.FILL_OR_DROP else None
    return Gather(eqn, operand, indices, p["dimension_numbers"], tuple(p["slice_sizes"]), fill)


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
