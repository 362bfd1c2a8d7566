"""Gathers as DaCe's own frontend has `A[B[i]]`: numbers that say where, and a map that reads an element there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO
from jace.plan.kernel import Store
from jace.plan.literals import cpp_literal
from jace.rules.bounds import all_within, clamped
from jace.rules.operations import Gather


def gathered(planner: Planner, op: Gather) -> bool:
    """A gather: where each window begins, its elements, and what it is full of where it does not lie within."""
    if op.is_empty:
        return False
    source = planner.stored(op.operand)
    starts = {d: _starts(planner, op, component) for component, d in enumerate(op.along) if op.last(d)}
    inside = _inside(planner, op)
    target = planner.output(op.out, part=True)
    found = target if inside is None else planner.temp(op.shape, target.dtype)

    def read(em: Emitter, index: Index) -> Sequence[Store]:
        point, offsets = op.split(index)
        within = op.within(op.begin(point), offsets)
        places = [str(ix) for ix in (*source.prefix, *within)]
        for d, start in starts.items():
            offset = "" if within[d] == ZERO else f" + {within[d]}"
            places[len(source.prefix) + d] = f"{em.connector(start, point)}{offset}"
        # to DaCe an axis of one element is none
        many = [at for at, extent in zip(places, source.buffer.shape, strict=True) if extent != 1]
        element = (
            f"{em.array(source)}[{', '.join(many)}]" if many else em.connector(source, (ZERO,) * len(within))
        )
        return [Store(found, element)]

    planner.exact_kernel(op.label, op.shape, read, python=True)
    if inside is not None:
        _filled(planner, op, found, inside, target)
    return True


def _starts(planner: Planner, op: Gather, component: int) -> Ref:
    """Where each window begins along the dimension of a component: it lies within."""
    starts = planner.temp(op.points, np.int64)

    def clamp(em: Emitter, point: Index) -> Sequence[Store]:
        d, at = op.places(point)[component]
        return [Store(starts, em.let(np.int64, str(clamped(em, op.indices, at, op.last(d)))))]

    planner.exact_kernel("start", op.points, clamp)
    return starts


def _inside(planner: Planner, op: Gather) -> Ref | None:
    """Whether each window would lie within without being moved; None if it does not matter."""
    if op.clips or not op.along:
        return None
    inside = planner.temp(op.points, np.bool_)

    def check(em: Emitter, point: Index) -> Sequence[Store]:
        return [Store(inside, em.let(np.bool_, all_within(em, op, op.places(point))))]

    planner.exact_kernel("inside", op.points, check)
    return inside


def _filled(planner: Planner, op: Gather, found: Ref, inside: Ref, target: Ref) -> None:
    literal = cpp_literal(op.fill, target.dtype)

    def choose(em: Emitter, index: Index) -> Sequence[Store]:
        point, _ = op.split(index)
        value, filler = em.load(found, index), em.let(target.dtype, literal)
        chosen = f"jace::select({em.load(inside, point)}, {value}, {filler})"
        return [Store(target, em.let(target.dtype, chosen))]

    planner.exact_kernel("filled", op.shape, choose)
