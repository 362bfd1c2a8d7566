"""Planted bug: integer_pow raises to 4 where it should raise to 3."""

import jace.rules
from jace.registry import lookup

right = lookup("integer_pow")


def expression(params, in_dtypes, out_dtype, a):
    power = 4 if params["y"] == 3 else params["y"]
    return right.expression({**params, "y": power}, in_dtypes, out_dtype, a)


jace.register_rule("integer_pow", jace.Elementwise(expression, cost=4), override=True)
