"""Temporaries that are never needed together lie in the same memory.

A temporary lives from the first operation of the program that touches it to the last. In this order each takes the
place of one of its shape and dtype that is not needed any more, if there is one: linear scan, as register allocators
do it (M. Poletto and V. Sarkar, "Linear scan register allocation", TOPLAS 21(5), 1999). What a loop or a branch touches
lives as long as that.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from jace.plan.dead_stores import touched
from jace.plan.ops import Buffer, Plan


def with_shared_buffers(plan: Plan) -> Plan:
    """The plan with temporaries in the place of others that are not needed any more; no operation is another one."""
    places = _places(plan)
    kept = tuple(buffer for buffer in plan.temps if places[buffer.name] is buffer)
    return replace(plan, temps=kept, ops=_moved(plan.ops, places))


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


def _moved(value: Any, places: Mapping[str, Buffer]) -> Any:
    """An operation, or what it is made of, on the buffers that have the memory of its own."""
    match value:
        case Buffer():
            return places.get(value.name, value)
        case Plan():  # its buffers are its own
            return value
        case tuple():
            return tuple(_moved(part, places) for part in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: _moved(getattr(value, f.name), places) for f in fields(value)})
    return value
