"""Planted bug: rev leaves the order as it is when two axes are to be reversed."""

import jace.rules
from jace.registry import lookup

right = lookup("rev")


def value(em, eqn, index, k):
    if len(eqn.params["dimensions"]) == 2:
        return em.value(eqn.invars[0], index)
    return right.value(em, eqn, index, k)


jace.register_rule("rev", jace.IndexMap(value), override=True)
