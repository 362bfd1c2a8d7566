"""Planted bug: transposing above rank 3 mirrors the last axis."""

import jace.rules
from jace.plan.index import constant
from jace.registry import lookup

right = lookup("transpose")


def value(em, eqn, index, k):
    if len(index) > 3:
        last = eqn.outvars[0].aval.shape[-1] - 1
        index = (*index[:-1], constant(last) - index[-1])
    return right.value(em, eqn, index, k)


jace.register_rule("transpose", jace.IndexMap(value), override=True)
