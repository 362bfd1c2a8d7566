"""Scatters as loops over their points, with symbols for where each goes (`canonical`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index, known_integer
from jace.plan.index import ZERO, Ix, constant
from jace.plan.kernel import Store
from jace.rules.bounds import checked, start
from jace.rules.nodes.accumulating import in_loops

#: (emitter, the old element, the update) -> C++ expression
Combiner = Callable[[Emitter, str, str], str]


def scatter(planner: Planner, eqn: JaxprEqn, combined: Combiner | None) -> bool:
    """The loop of a scatter: a point after the other, so that of several at one place the last one wins.

    Args:
        combined: how an update combines with the old element; None if it replaces it.
    """
    operand, _, updates = eqn.invars
    if 0 in operand.aval.shape or 0 in updates.aval.shape:
        return False
    target, source = planner.updated(eqn), planner.stored(updates)
    geometry = _Geometry(eqn)

    def step(batch: list[Ix]) -> None:
        _point(planner, eqn, geometry, batch, source, target, combined)

    in_loops(planner, "scatter", geometry.points, step)
    return True


class _Geometry:
    """The dimensions of a scatter: which of the updates' are of points, and which of the operand's have a window."""

    def __init__(self, eqn: JaxprEqn) -> None:
        dims = eqn.params["dimension_numbers"]
        operand, _, updates = (v.aval.shape for v in eqn.invars)
        self.dims, self.shape = dims, tuple(operand)
        self.window_dims = tuple(dims.update_window_dims)
        self.scatter_dims = tuple(d for d in range(len(updates)) if d not in self.window_dims)
        hidden = {*dims.inserted_window_dims, *dims.operand_batching_dims}
        self.visible = tuple(d for d in range(len(operand)) if d not in hidden)
        self.points = tuple(updates[d] for d in self.scatter_dims)
        self.window = tuple(updates[d] for d in self.window_dims)

    def last(self, d: int) -> int:
        """The last index at which a window may begin along a dimension of the operand."""
        return self.shape[d] - dict(zip(self.visible, self.window, strict=True)).get(d, 1)

    def source(self, batch: Sequence[Ix], index: Index) -> Index:
        """Index of an update."""
        place = dict(zip((*self.scatter_dims, *self.window_dims), (*batch, *index), strict=True))
        return tuple(place[d] for d in sorted(place))


def _point(
    planner: Planner,
    eqn: JaxprEqn,
    geometry: _Geometry,
    batch: Sequence[Ix],
    source: Ref,
    target: Ref,
    combined: Combiner | None,
) -> None:
    dims, indices = geometry.dims, eqn.invars[1]
    begin = [ZERO] * len(geometry.shape)
    for d, position in zip(dims.operand_batching_dims, dims.scatter_indices_batching_dims, strict=True):
        begin[d] = batch[position]
    clips = eqn.params["mode"] == GatherScatterMode.CLIP
    unknown: list[tuple[Index, int]] = []
    places = [(d, (*batch, constant(k))) for k, d in enumerate(dims.scatter_dims_to_operand_dims)]
    for d, at in places:
        known = known_integer(planner.source(indices), at)
        if known is None:
            unknown.append((at, geometry.last(d)))
        elif not (clips or 0 <= known <= geometry.last(d)):
            return
    for d, at in places:
        begin[d] = begin[d] + start(planner, indices, at, geometry.last(d))

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        place = list(begin)
        for d, ix in zip(geometry.visible, index, strict=True):
            place[d] = place[d] + ix
        value = em.load(source, geometry.source(batch, index))
        if combined is not None:
            value = em.let(target.dtype, combined(em, em.load(target, tuple(place)), value))
        return [Store(target, value, at=tuple(place))]

    if clips or not unknown:
        planner.exact_kernel(eqn.primitive.name, geometry.window, body)
        return

    def test(em: Emitter) -> str:
        conditions = [checked(em, indices, at, last)[1] for at, last in unknown]
        text = " && ".join(c for c in conditions if c is not None) or "true"
        return f"({text}) ? 1 : 0"

    inside = planner.scalar("inside", np.int32, test)
    with planner.nested() as write:
        planner.exact_kernel(eqn.primitive.name, geometry.window, body)
    planner.add_branch("scatter", inside, [[], write])
