"""What calls of one function have in common, and what they take, make and are needed for."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.tree.containers import mapped
from jace_repro.emitter.tree.outline.calls import PythonCall
from jace_repro.emitter.tree.uses import Uses, count_steps
from jace_repro.trace.model import (
    Body,
    Bound,
    Helper,
    Jitted,
    Method,
    Public,
    Step,
    Traced,
    bodies_of,
    values,
)

#: Constants that are equal when they print alike.
_PLAIN = (bool, int, float, complex, str, np.generic, np.dtype, type)


@dataclass(frozen=True)
class Shape:
    """What a call does, and what it does it with.

    Attributes:
        key: the same for calls of one function that took the same steps.
        outer: the values it takes, each as often as it needs it, in order: two calls may take the same values at other
            places.
        made: the values it makes.
        numbers: the numbers it uses.
        needed: the places in `made` of what is needed after it.
        lines: how many statements its steps would be, as most of what is used once is not one.
    """

    key: Any
    outer: list[Traced]
    made: list[Traced]
    numbers: list[float]
    needed: frozenset[int]
    lines: int


class _NotComparable(Exception):
    """Steps that cannot be compared with others."""


def every_call(items: Sequence[Step | PythonCall]) -> Iterator[PythonCall]:
    """All calls among the items, and in these."""
    for item in items:
        if isinstance(item, PythonCall):
            yield item
            yield from every_call(item.items)


def shapes_of(body: Body, items: Sequence[Step | PythonCall]) -> dict[int, Shape]:
    """The shapes of those calls of a body that may be shared, by the identities of the calls."""
    uses, found = Uses(), {}
    used, _ = uses.of_function(body)
    before = list(itertools.accumulate((count_steps([step]) for step in body.steps), initial=0))
    for call in every_call(items):
        try:
            key, outer, made, numbers = _compared(call.steps, uses)
        except _NotComparable:
            continue
        end = before[call.start + len(call.steps)]
        needed = frozenset(place for place, value in enumerate(made) if used.get(value.id, [-1])[-1] >= end)
        named = {value.id for step in call.steps if step.targets for value in values(step.result)}
        if len(needed) > 1:  # what is made between them is not made in the expression that uses the first
            named |= {made[place].id for place in needed}
        lines = sum(value.id in named or len(used.get(value.id, ())) != 1 for value in made)
        if needed:
            found[id(call)] = Shape((call.code, key), outer, made, numbers, needed, lines)
    return found


def defined_keys(root: Body, shapes: Mapping[int, Shape]) -> set[Any]:
    """The keys of the functions that have a definition anyway, as JAX calls them as well."""
    uses, found = Uses(), set()
    called = {shape.key[0] for shape in shapes.values()}
    for body in bodies_of(root):
        code = getattr(body.function.fun, "__code__", None)
        if code not in called:
            continue
        with contextlib.suppress(_NotComparable):
            found.add((code, _compared(body.steps, uses)[0]))
    return found


def given_to(step: Step) -> tuple[Any, ...]:
    """The arguments of a step, as one tree."""
    return (step.args, dict(step.kwargs))


def _compared(steps: Sequence[Step], uses: Uses) -> tuple[Any, list[Traced], list[Traced], list[float]]:
    """(key, values taken, values made, numbers) of steps.

    Raises:
        _NotComparable: they are not simple enough.
    """
    outer: list[Traced] = []
    made: list[Traced] = []
    numbers: list[float] = []
    places: dict[int, str] = {}

    def given(leaf: Any) -> str:
        if isinstance(leaf, Traced):
            if leaf.id in places:
                return places[leaf.id]
            outer.append(leaf)
            return f"outer {_type(leaf.aval)}"
        if type(leaf) is float:
            numbers.append(leaf)
            return "number"
        return _constant(leaf)

    def returned(leaf: Any) -> str:
        if not isinstance(leaf, Traced):
            return _constant(leaf)
        if leaf.id not in places:
            through = next((place for place, value in enumerate(outer) if value.id == leaf.id), None)
            places[leaf.id] = f"made {len(made)}" if through is None else f"taken {through}"
            if through is None:
                made.append(leaf)
        return places[leaf.id]

    key = []
    for step in steps:
        operation = _operation(step, uses)
        what = repr(mapped(given_to(step), given)), repr(mapped(step.result, returned))
        key.append((operation, *what, repr(step.config), step.targets))
    return tuple(key), outer, made, numbers


def _type(aval: Any) -> str:
    return f"{getattr(aval, 'dtype', '')} {getattr(aval, 'weak_type', '')} {getattr(aval, 'ndim', '')}"


def _operation(step: Step, uses: Uses) -> Any:
    """What two steps that do the same have in common.  Raises _NotComparable for what depends on where it is."""
    operation = step.operation
    if isinstance(operation, Public | Method) and not step.bodies:
        return operation
    if (
        isinstance(operation, Jitted | Helper)
        and operation.body is not None
        and not uses.free(operation.body)
    ):
        return id(operation.body)
    if isinstance(operation, Bound):
        return operation.primitive.name, repr(mapped(dict(operation.params), _constant))
    raise _NotComparable


def _constant(leaf: Any) -> str:
    """What equal constants have in common.  Raises _NotComparable for functions and unknown things."""
    if leaf is None or leaf is Ellipsis or isinstance(leaf, _PLAIN):
        return f"{type(leaf).__name__} {leaf!r}"
    if isinstance(leaf, np.ndarray | jax.Array):
        return f"array {id(leaf)}"
    raise _NotComparable
