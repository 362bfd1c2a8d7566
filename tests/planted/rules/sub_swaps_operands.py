"""Planted bug: sub swaps its operands above rank 2."""

import jace.rules
from jace.registry import lookup

right = lookup("sub")


def value(em, eqn, index, k):
    shape, dtype = eqn.outvars[0].aval.shape, eqn.outvars[0].aval.dtype
    a, b = (em.value(v, em.broadcast(index, shape, v.aval.shape)) for v in eqn.invars)
    if len(shape) > 2:
        a, b = b, a
    return em.let(dtype, right.expression(eqn.params, (dtype, dtype), dtype, a, b))


jace.register_rule("sub", jace.IndexMap(value), override=True)
