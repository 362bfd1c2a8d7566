"""Planted bug: dynamic_slice starts one element late, where there is one."""

import jace.rules
from jace.registry import lookup

right = lookup("dynamic_slice")


def value(em, eqn, index, k):
    operand = eqn.invars[0]
    late = tuple(
        ix + 1 if size < extent else ix
        for ix, size, extent in zip(index, eqn.params["slice_sizes"], operand.aval.shape, strict=True)
    )
    return right.value(em, eqn, late, k)


jace.register_rule("dynamic_slice", jace.IndexMap(value), override=True)
