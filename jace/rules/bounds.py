"""Indices computed at run time: clamped to an extent, or checked against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jace.ir.core import Atom
from jace.plan import Emitter, Planner
from jace.plan.emit import Index, known_integer
from jace.plan.index import ZERO, Ix, constant
from jace.rules.operations import Pointed


def clamped(em: Emitter, atom: Atom, index: Index, last: int) -> Ix:
    """The integer element as an index clamped to [0, last]."""
    known = em.known_integer(atom, index)
    if known is not None:
        return constant(min(max(known, 0), last))
    x = em.value(atom, index)
    return em.opaque(f"{x} < 0 ? 0L : (jace::u64){x} > {last}UL ? {last}L : (jace::i64){x}", (0, last + 1))


def checked(em: Emitter, atom: Atom, index: Index, last: int) -> tuple[Ix, str | None]:
    """The integer element as an index, and a condition that it lies in [0, last] (None: always true)."""
    known = em.known_integer(atom, index)
    if known is not None:
        return constant(known), None if 0 <= known <= last else "false"
    x = em.value(atom, index)
    return em.opaque(f"(jace::i64){x}", (0, last + 1)), f"{x} >= 0 && (jace::u64){x} <= {last}UL"


def window_at(em: Emitter, op: Pointed, index: Sequence[Ix]) -> tuple[Index, list[str]]:
    """Where an element of the windows is in the operand, and conditions that its window lies within (none is moved)."""
    point, offsets = op.split(index)
    begin, conditions = op.begin(point), []
    for d, at in op.places(point):
        if op.clips:
            first = clamped(em, op.indices, at, op.last(d))
        else:
            first, condition = checked(em, op.indices, at, op.last(d))
            if condition is not None:
                conditions.append(condition)
        begin[d] = begin[d] + first
    return tuple(op.within(begin, offsets)), conditions


def all_within(em: Emitter, op: Pointed, places: Iterable[tuple[int, Index]]) -> str:
    """C++ condition that a window lies within along the dimensions of these places."""
    conditions = [checked(em, op.indices, at, op.last(d))[1] for d, at in places]
    return " && ".join(c for c in conditions if c is not None) or "true"


def start(planner: Planner, atom: Atom, index: Index, last: int) -> Ix:
    """The integer element clamped to [0, last], for all of an operation: a number where it is known, else a symbol."""
    if last == 0:
        return ZERO
    known = known_integer(planner.source(atom), index)
    if known is not None:
        return constant(min(max(known, 0), last))
    return planner.index("start", (0, last + 1), lambda em: str(clamped(em, atom, index, last)))
