"""The function that calls of one shape become, and what each call gives for its parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from jace_repro.emitter.tree.containers import mapped
from jace_repro.emitter.tree.outline.calls import PythonCall
from jace_repro.emitter.tree.outline.shapes import Shape
from jace_repro.trace import callsite
from jace_repro.trace.model import Body, Function, Helper, Traced

#: Ids of what stands for numbers: no traced value has one of them.
_ids = itertools.count(1 << 48)

#: What no parameter stands for yet: values ("value") and numbers that differ ("number") by their places in the shapes,
#: each with what every call has there.
_Open = dict[tuple[str, int], tuple[Any, ...]]


@dataclass(frozen=True)
class Parameter:
    """A parameter of an outlined function.

    Attributes:
        name: what the program calls it.
        given: what each call gives for it.
        numbers: for each number in that, the places of the numbers of the steps that it is.
        inside: what the parameter is in the function, where such a number is no number but a value.
    """

    name: str
    given: tuple[Any, ...]
    numbers: tuple[tuple[int, ...], ...]
    inside: Any

    def stands(self) -> Iterator[tuple[int, Traced]]:
        """(place of a number, what stands for it in the function)."""
        leaves = zip(_leaves(self.given[0]) or (), _leaves(self.inside) or (), strict=True)
        inside = [value for number, value in leaves if type(number) is float]
        for places, value in zip(self.numbers, inside, strict=True):
            yield from ((place, value) for place in places)

    def argument(self, index: int, stands: Mapping[int, Traced], start: int) -> Any:
        """What call number `index` gives for it, with what stands for its numbers in the calling function.

        `stands`: that, by the place of a number among all of the function's; `start`: the place of the first one of
        the call.
        """
        numbers = iter(self.numbers)

        def change(leaf: Any) -> Any:
            places = next(numbers) if type(leaf) is float else ()
            return stands.get(start + places[0], leaf) if places else leaf

        return mapped(self.given[index], change)


@dataclass(frozen=True)
class Outlined:
    """A function that several calls have in common.

    Attributes:
        index: the number of each call, by its identity.
        parameters: its parameters.
        returned: the places of those values that a call makes which the function returns.
        helper: the function, which has no steps yet.
    """

    index: dict[int, int]
    parameters: list[Parameter]
    returned: list[int]
    helper: Helper


def clearest_first(alike: Sequence[PythonCall], shapes: Mapping[int, Shape]) -> list[PythonCall]:
    """The calls, the clearest one before the others; none of them if no call is clear.

    It takes another value wherever any of them does: its steps tell which parameter is meant where.
    """
    columns = zip(*(shapes[id(call)].outer for call in alike), strict=True)
    distinct = len({tuple(value.id for value in column) for column in columns})
    clear = [call for call in alike if len({value.id for value in shapes[id(call)].outer}) == distinct]
    return [clear[0], *(call for call in alike if call is not clear[0])] if clear else []


def outlined(alike: Sequence[PythonCall], shapes: Mapping[int, Shape]) -> Outlined:
    """The function that calls of one key become; it has no steps yet."""
    first, own = alike[0], [shapes[id(call)] for call in alike]
    still: _Open = {("value", i): c for i, c in enumerate(zip(*(s.outer for s in own), strict=True))}
    numbers = enumerate(zip(*(s.numbers for s in own), strict=True))
    still |= {("number", i): c for i, c in numbers if len(set(map(_identity, c))) > 1}
    parameters: list[Parameter] = []
    for name in (*callsite.parameter_names(first.code), *first.code.co_freevars):
        column = tuple([call.given.get(name) for call in alike])
        starred = name == callsite.starred_name(first.code)
        parameters += _items(name, column, still) if starred else _parameters(name, column, still)
    while still:
        (kind, _), column = next(iter(still.items()))
        parameters += _parameters("x" if kind == "value" else "number", column, still)
    returned = _returned(first, own)
    function = Function(
        _name(first), callsite.line_at(first.code, 0), tuple(p.name for p in parameters), None
    )
    result = as_result([own[0].made[place] for place in returned])
    body = Body(function, tuple(p.inside for p in parameters), {}, result=result)
    return Outlined({id(c): i for i, c in enumerate(alike)}, parameters, returned, Helper(function, body))


def as_result(made: Sequence[Traced]) -> Any:
    """What a function returns that makes these."""
    return made[0] if len(made) == 1 else tuple(made)


def _parameters(name: str, column: tuple[Any, ...], still: _Open) -> list[Parameter]:
    """The parameters for one of the program's: what each call gave for it, as a whole or in parts, if it is needed."""
    rows = [_leaves(value) for value in column]
    forms = {None if row is None else repr(mapped(v, type)) for row, v in zip(rows, column, strict=True)}
    if len(forms) > 1 or None in forms:
        return _items(name, column, still)
    leaves = list(zip(*(row or () for row in rows), strict=True))
    places = [_places(leaf, still) for leaf in leaves]
    known = all(found or type(leaf[0]) is float for found, leaf in zip(places, leaves, strict=True))
    if not known or not any(places):
        return _items(name, column, still)
    numbers = []
    for found, leaf in zip(places, leaves, strict=True):
        if type(leaf[0]) is float:
            numbers.append(tuple([place for _, place in found]))
        for key in found:
            still.pop(key, None)
    stands = iter(numbers)
    inside = mapped(column[0], lambda leaf: _inside(leaf, next(stands)) if type(leaf) is float else leaf)
    return [Parameter(name, column, tuple(numbers), inside)]


def _items(name: str, column: tuple[Any, ...], still: _Open) -> list[Parameter]:
    """The parameters for the items, or the attributes, of what each call gave."""
    first = column[0]
    if all(isinstance(value, dict) and value.keys() == first.keys() for value in column):
        own = {attribute: tuple([value[attribute] for value in column]) for attribute in first}
    elif all(isinstance(value, tuple | list) and len(value) == len(first) for value in column):
        own = {f"{name}_{place}": items for place, items in enumerate(zip(*column, strict=True))}
    else:
        return []
    return [p for title, items in own.items() for p in _parameters(title, items, still)]


def _places(leaf: tuple[Any, ...], still: _Open) -> list[tuple[str, int]]:
    """Where the shapes have what the calls gave."""
    ids = [_identity(value) for value in leaf]
    return [key for key, column in still.items() if [_identity(value) for value in column] == ids]


def _identity(value: Any) -> Any:
    return value.hex() if type(value) is float else value.id


def _inside(number: float, places: tuple[int, ...]) -> Any:
    """What a number of a call is in the function: a value, where it is one that differs."""
    return Traced(next(_ids), jax.typeof(number)) if places else number


def _leaves(value: Any) -> list[Any] | None:
    """The traced values and numbers in a value; None when there is anything else."""
    if isinstance(value, Traced) or type(value) is float:
        return [value]
    if not isinstance(value, tuple | list):
        return None
    found = [_leaves(item) for item in value]
    return None if None in found else [leaf for row in found for leaf in row or ()]


def _returned(call: PythonCall, own: Sequence[Shape]) -> list[int]:
    """What the function returns: all that is needed after any of its calls, in the program's order if that is known."""
    places = sorted(frozenset().union(*(shape.needed for shape in own)))
    names: dict[int, str] = {}
    for step in call.steps:
        if len(step.targets) == 1 and isinstance(step.result, Traced):
            names[step.result.id] = step.targets[0]
    mine = [names.get(own[0].made[place].id, "") for place in places]
    order = callsite.returned_names(call.code)
    if len(set(mine)) == len(mine) and set(mine) <= set(order):
        places.sort(key=lambda place: order.index(names[own[0].made[place].id]))
    return places


def _name(call: PythonCall) -> str:
    """What the function is called; an object that is called, after its class."""
    name = call.code.co_name
    owner = call.code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if name.startswith("__") and owner.isidentifier() else name
