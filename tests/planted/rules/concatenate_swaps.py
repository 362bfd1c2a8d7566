"""Planted bug: concatenate puts its pieces together in reverse order."""

import jace.rules
from jace.registry import lookup

right = lookup("concatenate")


def value(em, eqn, index, k):
    return right.value(em, eqn.replace(invars=list(eqn.invars)[::-1]), index, k)


jace.register_rule("concatenate", jace.IndexMap(value, cost=1), override=True)
