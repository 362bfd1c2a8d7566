"""Gathers: each element from where the indices of its point say."""

from __future__ import annotations

from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.index import constant
from jace.plan.literals import cpp_literal
from jace.rules.bounds import checked, clamped
from jace.rules.operations import Gather


def gathered(em: Emitter, op: Gather, index: Index, k: int) -> str:
    """One element of a gather."""
    point, source = op.source(index)
    conditions = []
    for component, d in op.places:
        at = (*point, constant(component))
        if op.fill is None:
            start = clamped(em, op.indices, at, op.last(d))
        else:
            start, condition = checked(em, op.indices, at, op.last(d))
            if condition is not None:
                conditions.append(condition)
        source[d] = source[d] + start
    if not conditions:
        return em.value(op.operand, tuple(source))
    dtype = op.operand.aval.dtype
    filler = cpp_literal(op.fill, dtype)
    if 0 in op.operand.aval.shape:
        return filler
    return em.select(
        " && ".join(conditions), dtype, lambda: em.value(op.operand, tuple(source)), lambda: filler
    )
