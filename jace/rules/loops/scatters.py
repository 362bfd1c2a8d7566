"""Scatters: a loop over all updates, in order where two may meet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant
from jace.rules.bounds import checked, clamped
from jace.rules.combining import combiner
from jace.rules.operations import Scatter


def scattered(planner: Planner, op: Scatter) -> None:
    """A scatter."""
    target = planner.updated(op.eqn)
    if op.is_empty:
        return
    combined = combiner(planner, op)
    pointer = f"w_{target.buffer.name}"

    def store(em: Emitter, at: Sequence[Ix]) -> None:
        """Scatter the update element at index `at`."""
        point = tuple(at[d] for d in op.point_dims)
        place = op.begin(point)
        for d, w in zip(op.visible, op.window_dims, strict=True):
            place[d] = place[d] + at[w]
        conditions = []
        for component, d in op.places:
            where = (*point, constant(component))
            if op.clips:
                start = clamped(em, op.indices, where, op.last(d))
            else:
                start, condition = checked(em, op.indices, where, op.last(d))
                if condition is not None:
                    conditions.append(condition)
            place[d] = place[d] + start

        def write() -> None:
            slot = f"{pointer}[{target.address(tuple(place))}]"
            value = em.value(op.updates, tuple(at))
            em.line(f"{slot} = {combined(em, slot, value)};")

        if not conditions:
            write()
        elif "false" not in conditions:
            with em.block(f"if ({' && '.join(conditions)})"):
                write()

    extents = op.updates.aval.shape
    one = math.prod(op.points) == 1
    if one or op.unique:
        planner.kernel(op.label, extents, store, writes=[target], reads=[target], independent=one)
        return

    def in_order(em: Emitter, index: Index) -> None:
        """Duplicate indices: updates are applied in row-major order, the last one wins."""
        at = [ZERO] * len(extents)

        def loops(remaining: Sequence[int]) -> None:
            if not remaining:
                store(em, at)
                return
            d = remaining[0]
            with em.loop(extents[d]) as ix:
                at[d] = ix
                loops(remaining[1:])

        loops([*op.point_dims, *op.window_dims])

    planner.kernel(op.label, (), in_order, writes=[target], reads=[target])
