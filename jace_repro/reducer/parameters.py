"""Parameters of equations that have a plainest value: how far they are from it, and what lies between.

What is a matter of types (dimension numbers, a comparator) is none of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import jax
from jax import lax

from jace import ir

#: Into how many groups the channels, or the images, of a convolution fall.
GROUP_COUNTS = ("feature_group_count", "batch_group_count")
#: The plainest value of a parameter, or of each number in it.
PLAIN: Mapping[str, Any] = {
    **dict.fromkeys(("window_strides", "window_dimensions", "strides", "reps", "k", "unroll"), 1),
    **dict.fromkeys(GROUP_COUNTS, 1),
    **dict.fromkeys(("base_dilation", "window_dilation", "lhs_dilation", "rhs_dilation"), 1),
    **dict.fromkeys(("padding", "padding_config"), 0),
    **dict.fromkeys(("reverse", "unique_indices", "indices_are_sorted"), False),
    "precision": None,
}


#: Primitives that mean what a plainer one does: this one is of sums of tangents.
PLAINER: Mapping[str, Any] = {"add_any": lax.add_p}


def irregularity(jaxpr: ir.Jaxpr) -> int:
    """How many numbers in the parameters of a program, bodies included, are not the plainest, and their digits.

    And how many equations are of a primitive that has a plainer one.
    """
    numbers = sum(
        _distance(number, PLAIN[name])
        for _, eqn in ir.walk(jaxpr)
        for name, value in eqn.params.items()
        if name in PLAIN
        for number in _flat(value)[0]
    )
    return numbers + sum(eqn.primitive.name in PLAINER for _, eqn in ir.walk(jaxpr))


def plainer(eqn: ir.JaxprEqn) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what is plainer, the parameters) of an equation: each parameter altogether, then one number of it at a time."""
    for name in filter(eqn.params.__contains__, PLAIN):
        value, plain = eqn.params[name], PLAIN[name]
        numbers, structure = _flat(value)
        found = [[None if number is None else plain for number in numbers]]
        for place, number in enumerate(numbers):
            if _distance(number, plain):
                rest = numbers[:place], numbers[place + 1 :]
                found += [[*rest[0], new, *rest[1]] for new in _towards(number, plain)]
        for new in map(structure.unflatten, found):
            if new != value:
                yield name, {**eqn.params, name: new}


def _distance(number: Any, plain: Any) -> int:
    if number is None or number == plain:
        return 0
    return 1 + (math.ceil(math.log2(abs(number) + 1)) if type(number) is int else 0)


def _towards(number: Any, plain: Any) -> Iterator[Any]:
    """Values between the plainest and this one, the plainest first."""
    yield plain
    if type(number) is int:
        middles = (2, number // 2, number - 1)
        yield from (middle for middle in dict.fromkeys(middles) if plain < middle < number)


def _flat(value: Any) -> tuple[list[Any], Any]:
    """The numbers in a parameter, in order, and what puts others in their places."""
    return jax.tree.flatten(value, is_leaf=lambda part: part is None)
