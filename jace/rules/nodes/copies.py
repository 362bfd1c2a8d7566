"""Movement of data (`canonical`): copies between access nodes, views, transpositions.

What is known at run time only is a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jax.extend.core import JaxprEqn

from jace.ir.core import Atom
from jace.plan import Box, Copy, Planner
from jace.plan.index import ZERO, Ix, constant
from jace.rules.bounds import start
from jace.rules.nodes.accumulating import call

_OF_BLAS = frozenset(map(np.dtype, ("float32", "float64", "complex64", "complex128")))


def slice_(planner: Planner, eqn: JaxprEqn) -> bool:
    """The copy of a slice of neighbouring elements."""
    (operand,), (out,) = eqn.invars, eqn.outvars
    if any(step != 1 for step in eqn.params["strides"] or ()) or 0 in out.aval.shape:
        return False
    begin = tuple(map(constant, eqn.params["start_indices"]))
    source, target = planner.stored(operand), planner.output(out, part=True)
    _move(planner, eqn, Box.of(source, begin, out.aval.shape), Box.of(target))
    return True


def reshape(planner: Planner, eqn: JaxprEqn) -> bool:
    """The copy of a view of the operand; where axes of one element come and go alone, the copy of the operand."""
    (operand,), (out,) = eqn.invars, eqn.outvars
    permuted = eqn.primitive.name == "reshape" and eqn.params.get("dimensions") is not None
    if permuted or 0 in out.aval.shape:
        return False
    before, after = ([extent for extent in v.aval.shape if extent != 1] for v in (operand, out))
    if before == after and planner.goes_round("squeezed_copy"):
        return False
    ones = any(1 in v.aval.shape for v in (operand, out))
    if before != after and ones and planner.goes_round("reshaped_twice"):
        return False
    if before != after and planner.depth and planner.goes_round("move_loop_of_a_view"):
        return False
    source, target = planner.stored(operand), planner.output(out, part=True)
    whole = Box.of(source), Box.of(target)
    planner.extend([Copy(eqn.primitive.name, *whole, planner.sources, viewed=before != after)])
    return True


def transpose(planner: Planner, eqn: JaxprEqn) -> bool:
    """DaCe's Transpose of a matrix of the types that BLAS has."""
    (operand,), (out,) = eqn.invars, eqn.outvars
    axes, shape = tuple(eqn.params["permutation"]), out.aval.shape
    if axes == tuple(range(len(axes))) or 0 in shape:
        return False
    matrix = len(shape) == 2 and 1 not in shape and out.aval.dtype in _OF_BLAS
    if not matrix and planner.goes_round("tensor_transpose_of_a_part"):
        return False
    source = planner.stored(operand)
    if not matrix and source.prefix:  # one step of a scanned array: the node takes all of it
        return False
    target = planner.output(out, part=matrix)
    if matrix:
        call(planner, "transpose", "Transpose", {"_inp": source}, {"_out": target}, {"dtype": target.dtype})
        return True
    tensors = {"_inp_tensor": source}, {"_out_tensor": target}
    call(planner, "transpose", "TensorTranspose", *tensors, {"axes": axes})
    return True


def concatenate(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy of each piece to its place."""
    (out,) = eqn.outvars
    axis, first = eqn.params["dimension"], 0
    target = planner.output(out, part=True)
    for operand in eqn.invars:
        shape = operand.aval.shape
        begin = tuple(constant(first) if d == axis else ZERO for d in range(len(shape)))
        if 0 not in shape:
            _move(planner, eqn, Box.of(planner.stored(operand)), Box.of(target, begin, shape))
        first += shape[axis]
    return True


def dynamic_slice(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy from where symbols say."""
    operand, *starts = eqn.invars
    (out,) = eqn.outvars
    if 0 in out.aval.shape:
        return False
    begin = _begin(planner, starts, operand.aval.shape, out.aval.shape)
    source, target = planner.stored(operand), planner.output(out, part=True)
    _move(planner, eqn, Box.of(source, begin, out.aval.shape), Box.of(target))
    return True


def dynamic_update_slice(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy to where symbols say."""
    operand, update, *starts = eqn.invars
    shape = update.aval.shape
    if 0 in shape:
        return False
    begin = _begin(planner, starts, operand.aval.shape, shape)
    source, target = planner.stored(update), planner.updated(eqn)
    _move(planner, eqn, Box.of(source), Box.of(target, begin, shape))
    return True


def _move(planner: Planner, eqn: JaxprEqn, source: Box, target: Box) -> None:
    planner.extend([Copy(eqn.primitive.name, source, target, planner.sources)])


def _begin(
    planner: Planner, starts: Sequence[Atom], extents: Sequence[int], sizes: Sequence[int]
) -> tuple[Ix, ...]:
    """Where a slice begins: numbers where they are known, else symbols; it lies within."""
    return tuple(
        start(planner, atom, (), extent - size)
        for atom, extent, size in zip(starts, extents, sizes, strict=True)
    )
