"""Planted bug: exp of anything below -3 is zero."""

import jace.rules
from jace.registry import lookup

right = lookup("exp")


def expression(params, in_dtypes, out_dtype, a):
    exact = right.expression(params, in_dtypes, out_dtype, a)
    return f"({a} < -3 ? 0 : {exact})"


jace.register_rule("exp", jace.Elementwise(expression, cost=20), override=True)
