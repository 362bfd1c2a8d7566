"""Slices and the like as copies between access nodes, with symbols for what is known at run time only (`canonical`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jax.extend.core import JaxprEqn, Literal

from jace.ir.core import Atom
from jace.plan import Box, Copy, Emitter, Planner
from jace.plan.index import ZERO, Ix, constant
from jace.rules.bounds import clamped


def slice_(planner: Planner, eqn: JaxprEqn) -> bool:
    """The copy of a slice of neighbouring elements."""
    (operand,), (out,) = eqn.invars, eqn.outvars
    if any(step != 1 for step in eqn.params["strides"] or ()) or 0 in out.aval.shape:
        return False
    begin = tuple(map(constant, eqn.params["start_indices"]))
    source, target = planner.stored(operand), planner.output(out, part=True)
    _move(planner, eqn, Box.of(source, begin, out.aval.shape), Box.of(target, _origin(out), out.aval.shape))
    return True


def concatenate(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy of each piece to its place."""
    (out,) = eqn.outvars
    axis, start = eqn.params["dimension"], 0
    target = planner.output(out, part=True)
    for operand in eqn.invars:
        shape = operand.aval.shape
        begin = tuple(constant(start) if d == axis else ZERO for d in range(len(shape)))
        if 0 not in shape:
            _move(
                planner,
                eqn,
                Box.of(planner.stored(operand), _origin(operand), shape),
                Box.of(target, begin, shape),
            )
        start += shape[axis]
    return True


def dynamic_slice(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy from where symbols say."""
    operand, *starts = eqn.invars
    (out,) = eqn.outvars
    if 0 in out.aval.shape:
        return False
    begin = _begin(planner, starts, operand.aval.shape, out.aval.shape)
    source, target = planner.stored(operand), planner.output(out, part=True)
    _move(planner, eqn, Box.of(source, begin, out.aval.shape), Box.of(target, _origin(out), out.aval.shape))
    return True


def dynamic_update_slice(planner: Planner, eqn: JaxprEqn) -> bool:
    """A copy to where symbols say."""
    operand, update, *starts = eqn.invars
    shape = update.aval.shape
    if 0 in shape:
        return False
    begin = _begin(planner, starts, operand.aval.shape, shape)
    source, target = planner.stored(update), planner.updated(eqn)
    _move(planner, eqn, Box.of(source, _origin(update), shape), Box.of(target, begin, shape))
    return True


def _origin(atom: Atom) -> tuple[Ix, ...]:
    return (ZERO,) * len(atom.aval.shape)


def _move(planner: Planner, eqn: JaxprEqn, source: Box, target: Box) -> None:
    planner.extend([Copy(eqn.primitive.name, source, target, planner.sources)])


def _begin(
    planner: Planner, starts: Sequence[Atom], extents: Sequence[int], sizes: Sequence[int]
) -> tuple[Ix, ...]:
    """Where a slice begins: numbers where they are known, else symbols; it lies within."""
    return tuple(
        _start(planner, start, extent - size)
        for start, extent, size in zip(starts, extents, sizes, strict=True)
    )


def _start(planner: Planner, start: Atom, last: int) -> Ix:
    if last == 0:
        return ZERO
    if isinstance(start, Literal):
        return constant(min(max(int(start.val), 0), last))

    def value(em: Emitter) -> str:
        return em.let(np.int64, str(clamped(em, start, (), last)))

    return planner.index("start", (0, last + 1), value)
