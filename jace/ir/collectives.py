"""Collectives on one device, and shard_map over a mesh of one device.

Over an axis of size 1 a collective moves nothing: its result is its operand in the shape of the output. The table
says what each of them makes of it. Over a larger axis there is no meaning in one process: `why_not` names the axis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import JaxprEqn

from jace.ir.annotations import alias
from jace.ir.rewrite import Splice
from jace.ir.trace import trace_on
from jace.jax_internals import mesh_axis_sizes, plain_aval
from jace.releases.jaxprs import closed_of

Fun = Callable[..., Any]


def _same(eqn: JaxprEqn) -> Fun:
    """The operand, with an axis of size 1 more or less where the output has one."""
    shape = plain_aval(eqn.outvars[0].aval).shape
    return lambda x, *_: x.reshape(shape)


def _reduction(reduce: Callable[..., Any]) -> Callable[[JaxprEqn], Fun]:
    """`psum` and the like: integers among the axes are dimensions of the array."""

    def rule(eqn: JaxprEqn) -> Fun:
        dimensions = tuple(a for a in eqn.params["axes"] if isinstance(a, int))
        return lambda x: reduce(x, dimensions) if dimensions else x

    return rule


def _ppermute(eqn: JaxprEqn) -> Fun:
    """What nobody sends to the one device is zero."""
    arrives = any(int(target) == 0 for _, target in eqn.params["perm"])
    return (lambda x: x) if arrives else jnp.zeros_like


def _ragged_all_to_all(eqn: JaxprEqn) -> Fun:
    """`send_sizes[0]` rows of the operand from `input_offsets[0]` go to `output_offsets[0]` of the output."""

    def fun(operand: Any, output: Any, start: Any, size: Any, target: Any, *_: Any) -> Any:
        row = jnp.arange(output.shape[0]) - target[0]
        moved = jnp.take(operand, jnp.clip(row + start[0], 0, operand.shape[0] - 1), axis=0)
        inside = (row >= 0) & (row < size[0])
        return jnp.where(inside.reshape(-1, *(1,) * (output.ndim - 1)), moved, output)

    return fun


def _axis_index(eqn: JaxprEqn) -> Fun:
    return lambda: np.int32(0)


_SUM = _reduction(jax.lax.reduce_sum)

#: primitive -> what it does to its operands over axes of size 1. The "start" of an asynchronous one does it all.
COLLECTIVES: dict[str, Callable[[JaxprEqn], Fun]] = {
    "psum": _SUM,
    "psum_invariant": _SUM,
    "unreduced_psum": _SUM,
    "pmax": _reduction(jax.lax.reduce_max),
    "pmin": _reduction(jax.lax.reduce_min),
    "unreduced_pmax": _reduction(jax.lax.reduce_max),
    "unreduced_pmin": _reduction(jax.lax.reduce_min),
    "pbroadcast": _same,
    "pbroadcast_dynamic": _same,
    "ppermute": _ppermute,
    "all_gather": _same,
    "all_gather_invariant": _same,
    "all_gather_reduced": _same,
    "all_to_all": _same,
    "reduce_scatter": _same,
    "unreduced_reduce_scatter": _same,
    "ragged_all_to_all": _ragged_all_to_all,
    "axis_index": _axis_index,
}
COLLECTIVES |= {
    f"{name}_start": rule
    for name, rule in COLLECTIVES.items()
    if name
    not in (
        *("pmax", "pmin", "unreduced_pmax", "unreduced_pmin", "pbroadcast_dynamic"),
        *("axis_index", "ragged_all_to_all", "all_gather_invariant"),
    )
}

#: Casts between the ways a value may vary over a mesh: nothing at run time, whatever the mesh.
CASTS = frozenset(
    {
        "preduced",
        "pvary",
        "reduced_vary_cast",
        "reduced_vary_cast_p",  # so until jax 0.12
        "vary_unreduced_cast",
        "vary_unreduced_cast_p",
        "all_gather_done",
        "all_to_all_done",
        "pbroadcast_done",
        "ppermute_done",
        "psum_done",
        "reduce_scatter_done",
    }
)


#: The parameter of shard_map that names the axes its body works on, as releases of JAX call it.
_MANUAL_AXES = ("manual_axes", "newly_manual_axes")


def manual_axes(eqn: JaxprEqn) -> Collection[Any]:
    """The names of the axes that the body of a shard_map works on."""
    return next(eqn.params[name] for name in _MANUAL_AXES if name in eqn.params)


def _axes(eqn: JaxprEqn) -> dict[Any, int | None]:
    """The named axes that an equation works on and their sizes; None for an axis of an unknown size."""
    if eqn.primitive.name == "shard_map":
        mesh = dict(eqn.params["mesh"].shape)
        return {name: mesh[name] for name in manual_axes(eqn)}
    names = eqn.params["axes"] if "axes" in eqn.params else eqn.params["axis_name"]
    names = names if isinstance(names, tuple | list) else (names,)
    sizes = mesh_axis_sizes(eqn.ctx)
    return {name: sizes.get(name) for name in names if not isinstance(name, int)}


def is_collective(eqn: JaxprEqn) -> bool:
    """Whether the equation is in one of the tables here, or a shard_map."""
    name = eqn.primitive.name
    return name in COLLECTIVES or name in CASTS or name == "shard_map"


def why_not(eqn: JaxprEqn) -> str | None:
    """Why a collective or shard_map has no meaning on one device; None if it has, or the equation is neither."""
    name = eqn.primitive.name
    if name not in COLLECTIVES and name != "shard_map":
        return None
    wrong = [
        f"axis '{axis}' has size {size}" if size is not None else f"axis '{axis}' has no known size"
        for axis, size in _axes(eqn).items()
        if size != 1
    ]
    return ", ".join(wrong) + ": jace runs on one device, over axes of size 1" if wrong else None


def expand_collective(eqn: JaxprEqn) -> Splice | None:
    """What a collective or shard_map comes to on one device, or None when the equation is something else."""
    name = eqn.primitive.name
    if name in CASTS:
        return alias(eqn)
    if (name not in COLLECTIVES and name != "shard_map") or why_not(eqn) is not None:
        return None
    if name == "shard_map":
        return Splice(closed_of(eqn.params["jaxpr"]), eqn.invars, from_user=True)
    return Splice(trace_on(COLLECTIVES[name](eqn), eqn), eqn.invars)
