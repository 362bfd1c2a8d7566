"""What finished operations read and write, and the kernels among them whose results nobody reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jace.plan.ops import Assign, Branch, Call, Copy, Kernel, Loop, Nested, Op


def touched(ops: Sequence[Op]) -> tuple[frozenset[str], frozenset[str]]:
    """Names of the buffers read and written by finished operations."""
    reads: set[str] = set()
    writes: set[str] = set()
    for op in ops:
        if isinstance(op, Kernel | Call | Nested | Copy):
            reads |= {a.buffer.name for a in op.reads}
            writes |= {a.buffer.name for a in op.writes}
            continue
        if isinstance(op, Assign):
            reads.add(op.buffer.name)
            continue
        bodies = [op.body] if isinstance(op, Loop) else op.bodies
        control = op.condition if isinstance(op, Loop) else op.index
        if control is not None:
            reads.add(control.name)
        for body in bodies:
            inner_reads, inner_writes = touched(body)
            reads |= inner_reads
            writes |= inner_writes
    return frozenset(reads), frozenset(writes)


def without_dead_stores(ops: Sequence[Op]) -> list[Op]:
    """The operations without kernels that write only temporaries that are never read, at every depth."""
    kept = list(ops)
    while True:  # a kernel that only feeds a dead one dies with it
        before = kept
        kept = _without(before, touched(before)[0])
        if kept == before:
            return kept


def _without(ops: Sequence[Op], read: frozenset[str]) -> list[Op]:
    kept: list[Op] = []
    for op in ops:
        if isinstance(op, Loop):
            op = replace(op, body=tuple(_without(op.body, read)))
        elif isinstance(op, Branch):
            op = replace(op, bodies=tuple(tuple(_without(b, read)) for b in op.bodies))
        elif not isinstance(op, Assign) and all(
            a.buffer.kind == "temp" and a.buffer.name not in read for a in op.writes
        ):
            continue
        kept.append(op)
    return kept
