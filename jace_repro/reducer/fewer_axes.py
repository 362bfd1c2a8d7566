"""Parameters of equations whose first operand has lost axes of one element: axes are counted anew."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

Shape = tuple[int, ...]

#: Parameters that are an axis.
_AXIS = frozenset({"axis", "dimension"})
#: Parameters that are some axes, in an order.
_AXES = frozenset({"axes", "dimensions", "permutation"})
#: Parameters that have something for each axis, and what they have for one that nothing is done to.
_EACH: Mapping[str, Any] = {
    **dict.fromkeys(
        ("window_dimensions", "window_strides", "base_dilation", "window_dilation", "strides"), 1
    ),
    **{"padding_config": (0, 0, 0), "padding": (0, 0), "start_indices": 0},
    **dict.fromkeys(("limit_indices", "broadcast_dimensions")),
}


def on_fewer_axes(
    primitive: str, params: Mapping[str, Any], old: Sequence[Shape], new: Sequence[Shape]
) -> dict[str, Any]:
    """The parameters for operands that lack some of their axes of one element; as they are where the first has all.

    Where axes are alike, such are taken to be gone that nothing is done to, if there are; else such that it can do
    without, as what is reduced.

    Raises:
        TypeError: those that an equation needs are gone.
    """
    if primitive == "dot_general":
        return {**params, "dimension_numbers": _contracted(params["dimension_numbers"], old, new)}
    if len(new[0]) == len(old[0]):
        return dict(params)
    for needed in (_needed(params, len(old[0])), frozenset[int]()):
        for lost in _lost(old[0], new[0], needed):
            return {name: _counted(name, value, len(old[0]), lost) for name, value in params.items()}
    raise TypeError(f"{new[0]} is not {old[0]} without axes of one element")


def _lost(old: Shape, new: Shape, needed: Collection[int]) -> Iterator[frozenset[int]]:
    """The axes of one element that may be gone, none of those that are needed."""
    ones = [axis for axis, size in enumerate(old) if size == 1 and axis not in needed]
    for lost in itertools.combinations(ones, len(old) - len(new)):
        if tuple(size for axis, size in enumerate(old) if axis not in lost) == new:
            yield frozenset(lost)


def _needed(params: Mapping[str, Any], rank: int) -> frozenset[int]:
    """The axes that something is done to; that they have an order counts for nothing."""
    one = {params[name] for name in _AXIS & params.keys()}
    several = {axis for name in (_AXES - {"permutation"}) & params.keys() for axis in params[name]}
    changed = {
        axis
        for name, plain in _EACH.items()
        if plain is not None and _is_of_each(params.get(name), rank)
        for axis, own in enumerate(params[name])
        if own != plain
    }
    return frozenset(one | several | changed)


def _is_of_each(value: Any, rank: int) -> bool:
    return isinstance(value, tuple) and len(value) == rank


def _counted(name: str, value: Any, rank: int, lost: frozenset[int]) -> Any:
    """A parameter without the axes that are gone. Raises TypeError: it is one of them, or nothing of it is left."""
    if name in _AXIS:
        return _place(value, lost)
    if name in _AXES:
        left = tuple(_place(axis, lost) for axis in value if axis not in lost)
        if value and not left and name != "permutation":
            raise TypeError(f"all of {name} {value} are gone")
        return left
    if name in _EACH and _is_of_each(value, rank):
        return tuple(one for axis, one in enumerate(value) if axis not in lost)
    return value


def _place(axis: int, lost: frozenset[int]) -> int:
    if axis in lost:
        raise TypeError(f"axis {axis} is gone")
    return axis - sum(one < axis for one in lost)


def _contracted(numbers: Any, old: Sequence[Shape], new: Sequence[Shape]) -> Any:
    """Those of `dot_general`, whose operands lack axes that are neither contracted nor of the batch."""
    (contracted, batch), pairs = numbers, list(zip(old, new, strict=True))
    kept = []
    for side, (before, after) in enumerate(pairs):
        needed = {*contracted[side], *batch[side]}
        lost = next(_lost(before, after, needed), None)
        if lost is None:
            raise TypeError(f"{after} is not {before} without axes that are free")
        kept.append([tuple(_place(axis, lost) for axis in axes[side]) for axes in (contracted, batch)])
    (contracted_left, batch_left), (contracted_right, batch_right) = kept
    return (contracted_left, contracted_right), (batch_left, batch_right)
