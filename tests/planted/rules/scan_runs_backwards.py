"""Planted bug: scan takes its elements from the wrong end."""

import jace.rules
from jace.registry import lookup

right = lookup("scan")


def build(planner, eqn):
    right.build(planner, eqn.replace(params={**eqn.params, "reverse": not eqn.params["reverse"]}))


jace.register_rule("scan", jace.Region(build, lazy=right.lazy), override=True)
