"""Parameters of equations that have a plainest value: how far they are from it, and what lies between.

What is a matter of types (dimension numbers, a comparator) is none of them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jace import ir

#: The plainest value of a parameter, or of each number in it.
PLAIN: Mapping[str, Any] = {
    **dict.fromkeys(("window_strides", "strides", "reps", "k", "unroll"), 1),
    **dict.fromkeys(("base_dilation", "window_dilation", "lhs_dilation", "rhs_dilation"), 1),
    **dict.fromkeys(("padding", "padding_config"), 0),
    **dict.fromkeys(("reverse", "unique_indices", "indices_are_sorted"), False),
    "precision": None,
}


def irregularity(jaxpr: ir.Jaxpr) -> int:
    """How many numbers in the parameters of a program, bodies included, are not the plainest, and their digits."""
    return sum(
        _distance(number, PLAIN[name])
        for _, eqn in ir.walk(jaxpr)
        for name, value in eqn.params.items()
        if name in PLAIN
        for number in _numbers(value)
    )


def plainer(eqn: ir.JaxprEqn) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what is plainer, the parameters) of an equation: each parameter altogether, then one number of it at a time."""
    for name in filter(eqn.params.__contains__, PLAIN):
        value, plain = eqn.params[name], PLAIN[name]
        found = [_with(value, functools.partial(_plain, plain))]
        for place, number in enumerate(_numbers(value)):
            if _distance(number, plain):
                found += [_with_one(value, place, new) for new in _towards(number, plain)]
        for new in found:
            if new != value:
                yield name, {**eqn.params, name: new}


def _plain(plain: Any, _: int, number: Any) -> Any:
    return None if number is None else plain


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


def _numbers(value: Any) -> Iterator[Any]:
    """The numbers in a parameter, in order."""
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    else:
        yield value


def _with(value: Any, new: Callable[[int, Any], Any]) -> Any:
    """A parameter with `new(place, number)` in the place of each number."""
    places = iter(range(10**6))

    def made(part: Any) -> Any:
        return tuple(map(made, part)) if isinstance(part, tuple) else new(next(places), part)

    return made(value)


def _with_one(value: Any, place: int, new: Any) -> Any:
    return _with(value, lambda here, number: new if here == place else number)
