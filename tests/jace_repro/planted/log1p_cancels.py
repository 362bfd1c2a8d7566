"""Planted bug: log1p is log(1 + x), which loses small x."""

import jace
from jace.registry import lookup

log = lookup("log")


def expression(params, in_dtypes, out_dtype, a):
    return log.expression(params, in_dtypes, out_dtype, f"({a} + 1)")


jace.register_rule("log1p", jace.Elementwise(expression, cost=20), override=True)
