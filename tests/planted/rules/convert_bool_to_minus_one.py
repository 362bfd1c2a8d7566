"""Planted bug: converting a boolean to an unsigned byte gives 255 for true."""

import numpy as np

import jace.rules
from jace.registry import lookup

right = lookup("convert_element_type")


def expression(params, in_dtypes, out_dtype, a):
    exact = right.expression(params, in_dtypes, out_dtype, a)
    return (
        f"({a} ? jace::u8(255) : jace::u8(0))" if in_dtypes[0] == np.bool_ and out_dtype == "uint8" else exact
    )


jace.register_rule("convert_element_type", jace.Elementwise(expression), override=True)
