"""Data movement by indices computed at run time: dynamic slices, gather, the scatter family."""

from __future__ import annotations

from collections.abc import Sequence

from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from jace.ir.core import Atom
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
    dims = p["dimension_numbers"]
    fills = p["mode"] == GatherScatterMode.FILL_OR_DROP
    return Gather(
        eqn,
        operand,
        indices,
        tuple(dims.start_index_map),
        _pairs(dims.operand_batching_dims, dims.start_indices_batching_dims),
        _visible(operand, dims.collapsed_slice_dims, dims.operand_batching_dims),
        eqn.outvars[0],
        tuple(dims.offset_dims),
        clips=not fills,
        fill=p["fill_value"] if fills else None,
    )


def _pairs(left: Sequence[int], right: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(left, right, strict=True))


def _visible(operand: Atom, *hidden: Sequence[int]) -> tuple[int, ...]:
    """The dimensions of an array that are not hidden."""
    return tuple(d for d in range(operand.aval.ndim) if not any(d in dims for dims in hidden))


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
    dims, combiner = p["dimension_numbers"], _COMBINE[eqn.primitive.name]
    custom = combiner is None and p["update_jaxpr"] is not None  # x.at[i].apply(f): a combiner of the user's
    return Scatter(
        eqn,
        operand,
        indices,
        tuple(dims.scatter_dims_to_operand_dims),
        _pairs(dims.operand_batching_dims, dims.scatter_indices_batching_dims),
        _visible(operand, dims.inserted_window_dims, dims.operand_batching_dims),
        updates,
        tuple(dims.update_window_dims),
        clips=p["mode"] == GatherScatterMode.CLIP,
        unique=p["unique_indices"],
        combiner=combiner,
        function=closed_of(p["update_jaxpr"], p["update_consts"]) if custom else None,
    )
