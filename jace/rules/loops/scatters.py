"""Scatters: a loop over all updates, in order where two may meet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.rules.bounds import window_at
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
        place, conditions = window_at(em, op, at)

        def write() -> None:
            slot = f"{pointer}[{target.address(place)}]"
            value = em.value(op.windows, tuple(at))
            em.line(f"{slot} = {combined(em, slot, value)};")

        if not conditions:
            write()
        elif "false" not in conditions:
            with em.block(f"if ({' && '.join(conditions)})"):
                write()

    extents = op.windows.aval.shape
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
