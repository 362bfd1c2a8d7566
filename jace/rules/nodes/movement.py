"""Movement of data: copies between access nodes, views, transpositions.

What is known at run time only is a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jace.ir.core import Atom
from jace.plan import Box, Copy, Planner
from jace.plan.index import ZERO, Ix, constant
from jace.rules.bounds import start
from jace.rules.nodes.accumulating import call
from jace.rules.operations import Concatenation, Operation, Reshape, Slice, Transposition, Update

_OF_BLAS = frozenset(map(np.dtype, ("float32", "float64", "complex64", "complex128")))


def sliced(planner: Planner, op: Slice) -> bool:
    """The copy of a slice of neighbouring elements."""
    if any(step != 1 for step in op.steps) or 0 in op.shape:
        return False
    begin = _begin(planner, op.begin, op.last)
    source, target = planner.stored(op.operand), planner.output(op.out, part=True)
    _move(planner, op, Box.of(source, begin, op.shape), Box.of(target))
    return True


def updated(planner: Planner, op: Update) -> bool:
    """A copy to where the part begins."""
    shape = op.update.aval.shape
    if 0 in shape:
        return False
    begin = _begin(planner, op.begin, op.last)
    source, target = planner.stored(op.update), planner.updated(op.eqn)
    _move(planner, op, Box.of(source), Box.of(target, begin, shape))
    return True


def reshaped(planner: Planner, op: Reshape) -> bool:
    """The copy of a view of the operand; where axes of one element come and go alone, the copy of the operand."""
    if op.permutation is not None or 0 in op.shape:
        return False
    shapes = (op.operand.aval.shape, op.shape)
    before, after = ([extent for extent in shape if extent != 1] for shape in shapes)
    if before == after and planner.goes_round("squeezed_copy"):
        return False
    ones = any(1 in shape for shape in shapes)
    if before != after and ones and planner.goes_round("reshaped_twice"):
        return False
    if before != after and planner.depth and planner.goes_round("move_loop_of_a_view"):
        return False
    source, target = planner.stored(op.operand), planner.output(op.out, part=True)
    _move(planner, op, Box.of(source), Box.of(target), viewed=before != after)
    return True


def transposed(planner: Planner, op: Transposition) -> bool:
    """DaCe's Transpose of a matrix of the types that BLAS has."""
    axes, shape = op.permutation, op.shape
    if axes == tuple(range(len(axes))) or 0 in shape:
        return False
    matrix = len(shape) == 2 and 1 not in shape and op.out.aval.dtype in _OF_BLAS
    if not matrix and planner.goes_round("tensor_transpose_of_a_part"):
        return False
    source = planner.stored(op.operand)
    if not matrix and source.prefix:  # one step of a scanned array: the node takes all of it
        return False
    target = planner.output(op.out, part=matrix)
    if matrix:
        call(planner, "transpose", "Transpose", {"_inp": source}, {"_out": target}, {"dtype": target.dtype})
        return True
    tensors = {"_inp_tensor": source}, {"_out_tensor": target}
    call(planner, "transpose", "TensorTranspose", *tensors, {"axes": axes})
    return True


def concatenated(planner: Planner, op: Concatenation) -> bool:
    """A copy of each piece to its place."""
    first = 0
    target = planner.output(op.out, part=True)
    for piece in op.pieces:
        shape = piece.aval.shape
        begin = tuple(constant(first) if d == op.axis else ZERO for d in range(len(shape)))
        if 0 not in shape:
            _move(planner, op, Box.of(planner.stored(piece)), Box.of(target, begin, shape))
        first += shape[op.axis]
    return True


def _move(planner: Planner, op: Operation, source: Box, target: Box, *, viewed: bool = False) -> None:
    planner.extend([Copy(op.label, source, target, planner.sources, viewed=viewed)])


def _begin(planner: Planner, begin: Sequence[int | Atom], last: Sequence[int]) -> tuple[Ix, ...]:
    """Where a part begins: numbers where they are known, else symbols; it lies within."""
    return tuple(
        constant(first) if isinstance(first, int) else start(planner, first, (), limit)
        for first, limit in zip(begin, last, strict=True)
    )
