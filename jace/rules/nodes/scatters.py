"""Scatters as loops over their points, with symbols for where each goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index, known_integer
from jace.plan.index import Ix
from jace.plan.kernel import Store
from jace.rules.bounds import all_within, start
from jace.rules.combining import combiner
from jace.rules.nodes.accumulating import in_loops
from jace.rules.operations import Scatter


def scattered(planner: Planner, op: Scatter) -> bool:
    """A scatter, a point after the other, so that of several at one place the last one wins."""
    if op.is_empty:
        return False
    combined = None if op.replaces else combiner(planner, op)
    target, source = planner.updated(op.eqn), planner.stored(op.windows)
    in_loops(
        planner, "scatter", op.points, lambda point: _point(planner, op, point, source, target, combined)
    )
    return True


def _point(
    planner: Planner,
    op: Scatter,
    point: Sequence[Ix],
    source: Ref,
    target: Ref,
    combined: Callable[[Emitter, str, str], str] | None,
) -> None:
    begin = op.begin(point)
    unknown: list[tuple[int, Index]] = []
    for d, at in op.places(point):
        known = known_integer(planner.source(op.indices), at)
        if known is None:
            unknown.append((d, at))
        elif not (op.clips or 0 <= known <= op.last(d)):
            return
    for d, at in op.places(point):
        begin[d] = begin[d] + start(planner, op.indices, at, op.last(d))

    def body(em: Emitter, index: Index) -> Sequence[Store]:
        place = tuple(op.within(begin, index))
        value = em.load(source, op.joined(point, index))
        if combined is not None:
            value = em.let(target.dtype, combined(em, em.load(target, place), value))
        return [Store(target, value, at=place)]

    if op.clips or not unknown:
        planner.exact_kernel(op.label, op.window, body)
        return

    inside = planner.scalar("inside", np.int32, lambda em: f"({all_within(em, op, unknown)}) ? 1 : 0")
    with planner.nested() as write:
        planner.exact_kernel(op.label, op.window, body)
    planner.add_branch("scatter", inside, [[], write])
