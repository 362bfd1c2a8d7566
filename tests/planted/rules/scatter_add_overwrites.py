"""Planted bug: scatter-add stores instead of adding."""

from jax import lax

import jace.rules
from jace.registry import lookup

right = lookup("scatter-add")


def build(planner, eqn):
    right.build(planner, eqn.replace(primitive=lax.scatter_p, params={**eqn.params, "update_jaxpr": None}))


jace.register_rule("scatter-add", jace.Region(build, lazy=right.lazy, updates=right.updates), override=True)
