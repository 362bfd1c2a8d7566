"""Slices, updates, reshapes and the like: which element of the operand an element of the result is."""

from __future__ import annotations

from jace.plan import Emitter, Planner
from jace.plan.emit import Index
from jace.plan.index import ZERO
from jace.rules.bounds import clamped
from jace.rules.operations import Concatenation, Reshape, Slice, Transposition, Update


def sliced(em: Emitter, op: Slice, index: Index, k: int) -> str:
    """One element of a slice."""
    source = tuple(
        ix * step + begin if isinstance(begin, int) else clamped(em, begin, (), last) + ix
        for ix, begin, last, step in zip(index, op.begin, op.last, op.steps, strict=True)
    )
    return em.value(op.operand, source)


def updated(planner: Planner, op: Update) -> None:
    """An array with a part replaced, in place where it may be."""
    target = planner.updated(op.eqn)

    def body(em: Emitter, index: Index) -> None:
        place = tuple(
            clamped(em, begin, (), last) + ix if last else ix
            for ix, begin, last in zip(index, op.begin, op.last, strict=True)
        )
        em.line(f"w_{target.buffer.name}[{target.address(place)}] = {em.value(op.update, index)};")

    planner.kernel(op.label, op.update.aval.shape, body, writes=[target], reads=[target], independent=True)


def reshaped(em: Emitter, op: Reshape, index: Index, k: int) -> str:
    """One element of a reshape."""
    return em.value(op.operand, op.source(em, index))


def transposed(em: Emitter, op: Transposition, index: Index, k: int) -> str:
    """One element of a transposition."""
    source = [ZERO] * len(index)
    for ix, d in zip(index, op.permutation, strict=True):
        source[d] = ix
    return em.value(op.operand, tuple(source))


def concatenated(em: Emitter, op: Concatenation, index: Index, k: int) -> str:
    """One element of a concatenation: of the piece that the index falls into."""
    dtype, axis = op.out.aval.dtype, op.axis
    ix = index[axis]
    pieces = [(v, v.aval.shape[axis]) for v in op.pieces if v.aval.shape[axis]]

    def piece(position: int, start: int) -> str:
        operand, extent = pieces[position]
        shifted = (*index[:axis], ix - start, *index[axis + 1 :])
        limits = em.bounds(ix)
        if position == len(pieces) - 1 or (limits and limits[1] <= start + extent):
            return em.value(operand, shifted)
        if limits and limits[0] >= start + extent:
            return piece(position + 1, start + extent)
        return em.select(
            f"{ix} < {start + extent}",
            dtype,
            lambda: em.value(operand, shifted),
            lambda: piece(position + 1, start + extent),
        )

    return piece(0, 0)
