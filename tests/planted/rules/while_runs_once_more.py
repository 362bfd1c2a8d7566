"""Planted bug: a while loop whose condition is `<` tests for `<=`."""

from jax import lax

import jace.rules
from jace.registry import lookup

right = lookup("while")


def relaxed(eqn):
    return eqn.replace(primitive=lax.le_p) if eqn.primitive is lax.lt_p else eqn


def build(planner, eqn):
    condition = eqn.params["cond_jaxpr"]
    jaxpr = condition.jaxpr.replace(eqns=[relaxed(e) for e in condition.jaxpr.eqns])
    params = {**eqn.params, "cond_jaxpr": condition.replace(jaxpr=jaxpr)}
    right.build(planner, eqn.replace(params=params))


jace.register_rule("while", jace.Region(build, lazy=right.lazy), override=True)
