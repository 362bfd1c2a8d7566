"""Temporaries that are never needed together lie in the same memory.

A temporary lives from the first operation of the program that touches it to the last. In this order each takes the
place of one of its shape and dtype that is not needed any more, if there is one: linear scan, as register allocators
do it (M. Poletto and V. Sarkar, "Linear scan register allocation", TOPLAS 21(5), 1999). What a loop or a branch touches
lives as long as that.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jace.plan.dead_stores import touched
from jace.plan.ops import Assign, Box, Branch, Buffer, Call, Copy, Kernel, Loop, Nested, Op, Plan


def with_shared_buffers(plan: Plan) -> Plan:
    """The plan with temporaries in the place of others that are not needed any more; no operation is another one."""
    places = _places(plan)
    kept = tuple(buffer for buffer in plan.temps if places[buffer.name] is buffer)
    return replace(plan, temps=kept, ops=tuple(_moved(op, places) for op in plan.ops))


def _places(plan: Plan) -> dict[str, Buffer]:
    """Whose memory each temporary has."""
    begins: dict[str, int] = {}
    ends: dict[str, int] = {}
    for position, op in enumerate(plan.ops):
        for name in frozenset.union(*touched([op])):
            begins.setdefault(name, position)
            ends[name] = position
    places: dict[str, Buffer] = {}
    # by shape and dtype: until when which memory is needed, the first to be free first
    needed: dict[Any, list[tuple[int, str]]] = defaultdict(list)
    for buffer in sorted(plan.temps, key=lambda b: begins[b.name]):
        name, alike = buffer.name, needed[buffer.shape, buffer.dtype]
        if alike and alike[0][0] < begins[name]:
            _, owner = heapq.heapreplace(alike, (ends[name], alike[0][1]))
            places[name] = places[owner]
        else:
            heapq.heappush(alike, (ends[name], name))
            places[name] = buffer
    return places


def _moved(op: Op, places: Mapping[str, Buffer]) -> Op:
    """An operation on the buffers that have the memory of its own."""

    def place(buffer: Buffer) -> Buffer:
        return places.get(buffer.name, buffer)

    def bodies(ops: Sequence[Op]) -> tuple[Op, ...]:
        return tuple(_moved(inner, places) for inner in ops)

    match op:
        case Kernel():
            reads, writes = (
                tuple(replace(a, buffer=place(a.buffer)) for a in accesses)
                for accesses in (op.reads, op.writes)
            )
            return replace(op, reads=reads, writes=writes)
        case Call() | Nested():
            spans_read, spans_written = (
                tuple(replace(s, ref=replace(s.ref, buffer=place(s.buffer))) for s in spans)
                for spans in (op.reads, op.writes)
            )
            return replace(op, reads=spans_read, writes=spans_written)
        case Copy():
            return replace(op, source=_at(op.source, place), target=_at(op.target, place))
        case Assign():
            return replace(op, buffer=place(op.buffer))
        case Loop():
            condition = None if op.condition is None else place(op.condition)
            return replace(op, body=bodies(op.body), condition=condition)
        case Branch():
            return replace(op, index=place(op.index), bodies=tuple(map(bodies, op.bodies)))


def _at(box: Box, place: Callable[[Buffer], Buffer]) -> Box:
    return replace(box, buffer=place(box.buffer))
