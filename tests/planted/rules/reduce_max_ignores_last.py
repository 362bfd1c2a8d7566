"""Planted bug: reduce_max does not look at the last element along the last axis it reduces."""

from contextlib import ExitStack

import jace.rules


def value(em, eqn, index, k):
    operand, axes = eqn.invars[0], sorted(eqn.params["axes"])
    shape = operand.aval.shape
    extents = [shape[a] for a in axes[:-1]] + [max(1, shape[axes[-1]] - 1)]
    best = em.declare(operand.aval.dtype, "-INFINITY")
    with ExitStack() as stack:
        inner = {a: stack.enter_context(em.loop(n)) for a, n in zip(axes, extents, strict=True)}
        rest = iter(index)
        at = tuple(inner[d] if d in inner else next(rest) for d in range(len(shape)))
        em.line(f"{best} = jace::max({best}, {em.value(operand, at)});")
    return best


jace.register_rule("reduce_max", jace.IndexMap(value, cost=32, materialize=True), override=True)
