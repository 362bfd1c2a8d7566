"""Copies that must stay: those of arrays that some node takes for contiguous, and is not told when they are not.

DaCe removes a copy by letting its reader have the part that was copied. A tasklet that has an exact memlet for each
element does not notice; one that has a pointer counts on a contiguous array and finds the strides of another
(RedundantArray and RedundantSecondArray look at nested SDFGs, not at tasklets: `a_slice_by_pointer` of
`jace.known_bugs`). An Einsum has memlets, whose strides it takes no notice of (`einsum_of_a_part`); what a
Reduce writes, and what has axes of one element that the array it is copied to does not have there, becomes a view
without the strides of what it is a view of (`view_without_strides`). A view of ours is contiguous.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from jace.dtypes import ctype
from jace.plan.index import ZERO, Ix, symbol
from jace.plan.ops import Access, Box, Branch, Call, Copy, Kernel, Loop, Nested, Op


def with_maps(ops: Sequence[Op], goes_round: Callable[[str], bool]) -> list[Op]:
    """The operations with maps in place of the copies that must stay.

    Args:
        ops: a plan's.
        goes_round: whether a bug of DaCe's is to be gone round.
    """
    pointers, einsums = goes_round("a_slice_by_pointer"), goes_round("einsum_of_a_part")
    sums = goes_round("view_without_strides")

    def contiguous(op: Op) -> Iterator[str]:
        match op:
            case Kernel() if pointers:
                yield from (a.buffer.name for a in (*op.reads, *op.writes) if a.subset is None)
            case Call(node="Einsum") if einsums:
                yield from (s.buffer.name for s in (*op.reads, *op.writes))
            case Call(node="Reduce") if sums:
                yield from (s.buffer.name for s in op.writes)

    kept = frozenset(_buffers(ops, contiguous))

    def stays(copy: Copy) -> bool:
        source, target = copy.source.buffer, copy.target.buffer
        a_part = source.kind == "temp" and source.size < target.size
        squeezed = a_part and 1 in source.shape and len(source.shape) != len(target.shape)
        return not copy.viewed and (bool({source.name, target.name} & kept) or (sums and squeezed))

    return _with_maps(ops, stays, itertools.count(1))


def _buffers(ops: Sequence[Op], of: Callable[[Op], Iterator[str]]) -> Iterator[str]:
    """Names of the buffers that `of` names of any operation, the inner ones of loops, branches and calls too."""
    for op in ops:
        if isinstance(op, Nested):
            inside = set(_buffers(op.plan.ops, of))
            yield from (s.buffer.name for s in (*op.reads, *op.writes) if s.connector in inside)
        elif isinstance(op, Loop):
            yield from _buffers(op.body, of)
        elif isinstance(op, Branch):
            for body in op.bodies:
                yield from _buffers(body, of)
        else:
            yield from of(op)


def _with_maps(ops: Sequence[Op], stays: Callable[[Copy], bool], numbers: Iterator[int]) -> list[Op]:
    made: list[Op] = []
    for op in ops:
        if isinstance(op, Loop):
            op = replace(op, body=tuple(_with_maps(op.body, stays, numbers)))
        elif isinstance(op, Branch):
            op = replace(op, bodies=tuple(tuple(_with_maps(body, stays, numbers)) for body in op.bodies))
        elif isinstance(op, Copy) and stays(op):
            op = _map(op, next(numbers))
        made.append(op)
    return made


def _map(copy: Copy, number: int) -> Kernel:
    """A copy as a map with one exact memlet in and one out; dimensions of one element have no parameter."""
    extents = [n for n in copy.source.shape if n != 1]
    names = [f"i{d}c{number}" for d in range(len(extents))]
    dtype = ctype(copy.source.buffer.dtype)
    return Kernel(
        copy.label,
        tuple(zip(names, extents, strict=True)),
        f"jace::store(s0, jace::load<{dtype}>(e0));",
        (Access("e0", copy.source.buffer, _place(copy.source, names)),),
        (Access("s0", copy.target.buffer, _place(copy.target, names)),),
        sources=copy.sources,
        note=copy.note,
    )


def _place(box: Box, names: Sequence[str]) -> tuple[Ix, ...]:
    parameters = iter(names)
    steps = (ZERO if n == 1 else symbol(next(parameters)) for n in box.shape)
    return tuple(ix + step for ix, step in zip(box.begin, steps, strict=True))
