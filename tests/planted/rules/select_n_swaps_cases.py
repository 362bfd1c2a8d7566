"""Planted bug: select_n with a boolean selector takes the other case."""

import numpy as np

import jace.rules
from jace.registry import lookup

right = lookup("select_n")


def expression(params, in_dtypes, out_dtype, which, *cases):
    if in_dtypes[0] == np.bool_ and len(cases) == 2:
        cases = cases[::-1]
    return right.expression(params, in_dtypes, out_dtype, which, *cases)


jace.register_rule("select_n", jace.Elementwise(expression), override=True)
