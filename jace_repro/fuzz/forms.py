"""The forms of a program's equations: of what sort each parameter is, and what two of them are together.

A rule decides by parameters, and its branches do not show it all: an axis, a stride or a kind of transform that no
program has had may go the same way and be wrong. Numbers are told apart as far as a rule does by itself: negative, 0, 1
and more; of several which there are, how many, and whether they are in order.
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Iterator
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import ir

#: Parameters that say how large something is or what it is called.
_NO_CHOICE = frozenset({"name", "shape", "new_sizes", "sizes", "limit_indices", "slice_sizes"})
_MORE = 2


def forms(closed: ClosedJaxpr) -> frozenset[str]:
    """Those of all equations of a program, each as "PRIMITIVE with PARAMETER=SORT", or with two of these."""
    return frozenset(form for _, eqn in ir.walk(closed) for form in _forms(eqn))


def primitive_of(form: str) -> str:
    """The primitive of a form."""
    return form.partition(" ")[0]


def _forms(eqn: JaxprEqn) -> Iterator[str]:
    sorts = {name: sort_of(value) for name, value in eqn.params.items() if name not in _NO_CHOICE}
    known = sorted(f"{name}={sort}" for name, sort in sorts.items() if sort)
    for said in itertools.chain(known, map(" and ".join, itertools.combinations(known, 2))):
        yield f"{eqn.primitive.name} with {said}"


def sort_of(value: Any) -> str:
    """Of what sort a parameter is; "" for a program, an array or whatever else is no choice between a few."""
    if value is None or isinstance(value, bool | enum.Enum | str):
        return str(value)
    if isinstance(value, int):
        return "-" if value < 0 else str(value) if value < _MORE else f"{_MORE}+"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = tuple(getattr(value, field.name) for field in dataclasses.fields(value))
    if not isinstance(value, tuple | list):
        return ""
    if all(isinstance(one, int) and not isinstance(one, bool) for one in value):
        return f"({_of_numbers(value)})"
    sorts = list(map(sort_of, value))
    if not all(sorts):
        return ""
    return f"(each {sorts[0]})" if len(set(sorts)) == 1 < len(sorts) else f"({', '.join(sorts)})"


def _of_numbers(numbers: tuple[int, ...] | list[int]) -> str:
    if len(numbers) < 2:
        return "".join(map(sort_of, numbers))
    order = "" if list(numbers) == sorted(numbers) else " not in order"
    return f"{len(numbers)} of {' '.join(sorted(set(map(sort_of, numbers))))}{order}"
