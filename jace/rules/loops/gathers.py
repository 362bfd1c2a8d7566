"""Gathers: each element from where the indices of its point say."""

from __future__ import annotations

from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.literals import cpp_literal
from jace.rules.bounds import window_at
from jace.rules.operations import Gather


def gathered(em: Emitter, op: Gather, index: Index, k: int) -> str:
    """One element of a gather."""
    source, conditions = window_at(em, op, index)
    if not conditions:
        return em.value(op.operand, source)
    dtype = op.operand.aval.dtype
    filler = cpp_literal(op.fill, dtype)
    if 0 in op.operand.aval.shape:
        return filler
    return em.select(" && ".join(conditions), dtype, lambda: em.value(op.operand, source), lambda: filler)
