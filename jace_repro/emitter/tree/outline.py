"""Python functions that the program calls more than once, as functions of the script.

JAX does not see these calls: their steps stand in a row with those of the caller. Where the same function took the same
steps on other values, often enough to be worth it, they become calls of one function; its parameters are called what
they are in the program, and numbers that differ are parameters as well.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.tree.outline_calls import Call, calls
from jace_repro.emitter.tree.uses import Uses, count_steps
from jace_repro.trace import callsite
from jace_repro.trace.model import (
    Body,
    Bound,
    Function,
    Helper,
    Jitted,
    Method,
    Node,
    Public,
    Step,
    Traced,
    bodies_of,
    values,
)


def share_helpers(root: Body) -> None:
    """Put calls of shared functions in the place of their steps, in a body and in all that ran in it."""
    own = (body for body in bodies_of(root) if body.function.fun is not None)  # a script may be written twice
    bodies = [body for body in own if any(len(step.path) > 1 for step in body.steps)]
    if not bodies:
        return
    trees = [calls(body.steps) for body in bodies]
    shapes: dict[int, _Shape] = {}
    for body, items in zip(bodies, trees, strict=True):
        shapes |= _shapes(body, items)
    found: dict[Any, list[Call]] = {key: [] for key in _worthwhile(trees, shapes, _defined(root, shapes))}
    for call in itertools.chain.from_iterable(map(_every, trees)):
        if id(call) in shapes and shapes[id(call)].key in found:
            found[shapes[id(call)].key].append(call)
    ordered = {key: _clearest_first(alike, shapes) for key, alike in found.items()}
    found = {key: alike for key, alike in ordered.items() if alike}
    shared = {key: _shared(alike, shapes) for key, alike in found.items()}
    for key, one in shared.items():
        stands = {n: v for p in one.parameters for n, v in _stands(p)}
        one.helper.body.steps = list(_written(found[key][0].items, shapes, shared, stands))
    for body, items in zip(bodies, trees, strict=True):
        if shared:
            body.steps = list(_written(items, shapes, shared, {}))


# --------------------------------------------------------------------------------- what is alike


@dataclass(frozen=True)
class _Shape:
    """What a call does, and what it does it with.

    `key`: the same for calls of one function that took the same steps. `outer`: the values it takes, each as often as
    it needs it, in order: two calls may take the same values at other places; `made`: those it makes; `numbers`: the
    numbers it uses; `needed`: the places in `made` of what is needed after it. `lines`: how many statements its steps
    would be, as most of what is used once is not one.
    """

    key: Any
    outer: list[Traced]
    made: list[Traced]
    numbers: list[float]
    needed: frozenset[int]
    lines: int


class _Unlike(Exception):
    """Steps that cannot be compared with others."""


def _every(items: Sequence[Step | Call]) -> Iterator[Call]:
    """All calls among the items, and in these."""
    for item in items:
        if isinstance(item, Call):
            yield item
            yield from _every(item.items)


def _shapes(body: Body, items: Sequence[Step | Call]) -> dict[int, _Shape]:
    """The shapes of those calls of a body that may be shared, by the identities of the calls."""
    uses, found = Uses(), {}
    used, _ = uses.of_function(body)
    before = list(itertools.accumulate((count_steps([step]) for step in body.steps), initial=0))
    for call in _every(items):
        try:
            key, outer, made, numbers = _alike(call.steps, uses)
        except _Unlike:
            continue
        end = before[call.start + len(call.steps)]
        needed = frozenset(place for place, value in enumerate(made) if used.get(value.id, [-1])[-1] >= end)
        named = {value.id for step in call.steps if step.targets for value in values(step.result)}
        if len(needed) > 1:  # what is made between them is not made in the expression that uses the first
            named |= {made[place].id for place in needed}
        lines = sum(value.id in named or len(used.get(value.id, ())) != 1 for value in made)
        if needed:
            found[id(call)] = _Shape((call.code, key), outer, made, numbers, needed, lines)
    return found


def _alike(steps: Sequence[Step], uses: Uses) -> tuple[Any, list[Traced], list[Traced], list[float]]:
    """(key, values taken, values made, numbers) of steps.  Raises _Unlike when they are not simple enough."""
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

    def answered(leaf: Any) -> str:
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
        what = repr(_mapped(_given(step), given)), repr(_mapped(step.result, answered))
        key.append((operation, *what, repr(step.config), step.targets))
    return tuple(key), outer, made, numbers


def _given(step: Step) -> tuple[Any, ...]:
    return (step.args, dict(step.kwargs))


def _type(aval: Any) -> str:
    return f"{getattr(aval, 'dtype', '')} {getattr(aval, 'weak_type', '')} {getattr(aval, 'ndim', '')}"


def _operation(step: Step, uses: Uses) -> Any:
    """What two steps that do the same have in common.  Raises _Unlike for what depends on where it is."""
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
        return operation.primitive.name, repr(_mapped(dict(operation.params), _constant))
    raise _Unlike


def _constant(leaf: Any) -> str:
    """What equal constants have in common.  Raises _Unlike for functions and unknown things."""
    if leaf is None or leaf is Ellipsis or isinstance(leaf, _PLAIN):
        return f"{type(leaf).__name__} {leaf!r}"
    if isinstance(leaf, np.ndarray | jax.Array):
        return f"array {id(leaf)}"
    raise _Unlike


_PLAIN = (bool, int, float, complex, str, np.generic, np.dtype, type)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with its leaves changed, always in the same order."""
    kind = type(value)
    if kind in (tuple, list):
        return kind([_mapped(v, change) for v in value])
    if kind is dict:
        return {k: _mapped(v, change) for k, v in value.items()}
    if isinstance(value, Node):
        return replace(value, children=tuple([_mapped(v, change) for v in value.children]))
    if isinstance(value, slice):
        return slice(*[_mapped(v, change) for v in (value.start, value.stop, value.step)])
    return change(value)


# ------------------------------------------------------------------------------- what is worth it


def _defined(root: Body, shapes: Mapping[int, _Shape]) -> set[Any]:
    """The keys of the functions that have a definition anyway, as JAX calls them as well."""
    uses, found = Uses(), set()
    called = {shape.key[0] for shape in shapes.values()}
    for body in bodies_of(root):
        code = getattr(body.function.fun, "__code__", None)
        if code not in called:
            continue
        with contextlib.suppress(_Unlike):
            found.add((code, _alike(body.steps, uses)[0]))
    return found


def _worthwhile(
    trees: Sequence[Sequence[Step | Call]], shapes: Mapping[int, _Shape], defined: set[Any]
) -> set[Any]:
    """The keys of the calls that are kept: those with which the script is shorter."""
    kept = {shape.key for shape in shapes.values()}
    while True:
        counts: dict[Any, list[Call]] = defaultdict(list)
        for items in trees:
            _count(items, shapes, kept, counts)
        lines = {key: shapes[id(found[0])].lines for key, found in counts.items()}
        worth = {key for key in counts if key in defined or _saves(lines[key], len(counts[key]))}
        if worth == kept:
            return kept
        kept = worth


def _saves(lines: int, count: int) -> bool:
    """Whether a definition, with a line for its head and two after it, and its calls are fewer lines than the steps."""
    return lines * count > lines + count + 3


def _count(
    items: Sequence[Step | Call],
    shapes: Mapping[int, _Shape],
    kept: set[Any],
    counts: dict[Any, list[Call]],
) -> None:
    """Note the calls that are kept; those within one once, as it is written once."""
    for call in items:
        if not isinstance(call, Call):
            continue
        shape = shapes.get(id(call))
        if shape is not None and shape.key in kept:
            counts[shape.key].append(call)
            if len(counts[shape.key]) > 1:
                continue
        _count(call.items, shapes, kept, counts)


# ----------------------------------------------------------------------------------- the function


@dataclass(frozen=True)
class _Parameter:
    """A parameter: what each call gives for it.

    `numbers`: for each number in that, the places of the numbers of the steps that it is. `inside`: what the parameter
    is in the function, where such a number is no number but a value.
    """

    name: str
    given: tuple[Any, ...]
    numbers: tuple[tuple[int, ...], ...]
    inside: Any


@dataclass(frozen=True)
class _Shared:
    """A function that several calls have in common.

    `index`: the number of each call, by its identity. `answers`: the places of those values that a call makes which
    the function answers.
    """

    index: dict[int, int]
    parameters: list[_Parameter]
    answers: list[int]
    helper: Helper


def _clearest_first(alike: Sequence[Call], shapes: Mapping[int, _Shape]) -> list[Call]:
    """The calls, one that takes another value wherever any of them does before the others: its steps tell which
    parameter is meant where.  None of them if there is no such call."""
    columns = zip(*(shapes[id(call)].outer for call in alike), strict=True)
    distinct = len({tuple(value.id for value in column) for column in columns})
    clear = [call for call in alike if len({value.id for value in shapes[id(call)].outer}) == distinct]
    return [clear[0], *(call for call in alike if call is not clear[0])] if clear else []


#: What no parameter stands for yet: values ("value") and numbers that differ ("number") by their places in the shapes,
#: each with what every call has there.
_Open = dict[tuple[str, int], tuple[Any, ...]]


def _shared(alike: Sequence[Call], shapes: Mapping[int, _Shape]) -> _Shared:
    """The function that calls of one key become; it has no steps yet."""
    first, own = alike[0], [shapes[id(call)] for call in alike]
    still: _Open = {("value", i): c for i, c in enumerate(zip(*(s.outer for s in own), strict=True))}
    numbers = enumerate(zip(*(s.numbers for s in own), strict=True))
    still |= {("number", i): c for i, c in numbers if len(set(map(_identity, c))) > 1}
    parameters: list[_Parameter] = []
    for name in (*callsite.parameter_names(first.code), *first.code.co_freevars):
        column = tuple([call.given.get(name) for call in alike])
        starred = name == callsite.starred_name(first.code)
        parameters += _items(name, column, still) if starred else _parameters(name, column, still)
    while still:
        (kind, _), column = next(iter(still.items()))
        parameters += _parameters("x" if kind == "value" else "number", column, still)
    answers = _answers(first, own)
    made = [own[0].made[place] for place in answers]
    function = Function(
        _name(first), callsite.line_at(first.code, 0), tuple(p.name for p in parameters), None
    )
    body = Body(function, tuple(p.inside for p in parameters), {}, result=_result(made))
    return _Shared({id(c): i for i, c in enumerate(alike)}, parameters, answers, Helper(function, body))


def _parameters(name: str, column: tuple[Any, ...], still: _Open) -> list[_Parameter]:
    """The parameters for one of the program's: what each call gave for it, as a whole or in parts, if it is needed."""
    rows = [_leaves(value) for value in column]
    forms = {None if row is None else repr(_mapped(v, type)) for row, v in zip(rows, column, strict=True)}
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
    inside = _mapped(column[0], lambda leaf: _inside(leaf, next(stands)) if type(leaf) is float else leaf)
    return [_Parameter(name, column, tuple(numbers), inside)]


def _items(name: str, column: tuple[Any, ...], still: _Open) -> list[_Parameter]:
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


#: Ids of what stands for numbers: no traced value has one of them.
_ids = itertools.count(1 << 48)


def _leaves(value: Any) -> list[Any] | None:
    """The traced values and numbers in a value; None when there is anything else."""
    if isinstance(value, Traced) or type(value) is float:
        return [value]
    if not isinstance(value, tuple | list):
        return None
    found = [_leaves(item) for item in value]
    return None if None in found else [leaf for row in found for leaf in row or ()]


def _answers(call: Call, own: Sequence[_Shape]) -> list[int]:
    """What the function answers: all that is needed after any of its calls, in the program's order if that is known."""
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


def _result(made: Sequence[Traced]) -> Any:
    """What a function answers that makes these."""
    return made[0] if len(made) == 1 else tuple(made)


def _name(call: Call) -> str:
    """What the function is called; an object that is called, after its class."""
    name = call.code.co_name
    owner = call.code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if name.startswith("__") and owner.isidentifier() else name


# -------------------------------------------------------------------------------------- the calls


def _stands(parameter: _Parameter) -> Iterator[tuple[int, Traced]]:
    """(place of a number, what stands for it in the function)."""
    leaves = zip(_leaves(parameter.given[0]) or (), _leaves(parameter.inside) or (), strict=True)
    inside = [value for number, value in leaves if type(number) is float]
    for places, value in zip(parameter.numbers, inside, strict=True):
        yield from ((place, value) for place in places)


def _written(
    items: Sequence[Step | Call],
    shapes: Mapping[int, _Shape],
    shared: Mapping[Any, _Shared],
    stands: Mapping[int, Traced],
    start: int = 0,
) -> Iterator[Step]:
    """Steps, with calls of shared functions among them.

    `stands`: what stands for a number, by its place among all of the function's; `start`: the place of the first one.
    """
    for item in items:
        if isinstance(item, Step):
            yield _substituted(item, stands, start)
            start += _count_numbers([item])
            continue
        shape = shapes.get(id(item))
        if shape is not None and shape.key in shared:
            yield _called(item, shape, shared[shape.key], stands, start)
        else:
            yield from _written(item.items, shapes, shared, stands, start)
        start += _count_numbers(item.steps)


def _called(call: Call, shape: _Shape, shared: _Shared, stands: Mapping[int, Traced], start: int) -> Step:
    """The step that calls a shared function."""
    index = shared.index[id(call)]
    made = [shape.made[place] for place in shared.answers]
    code, offset = call.caller[-1]
    targets = callsite.targets_of(code, offset)
    return Step(
        shared.helper,
        tuple(_given_for(p, p.given[index], stands, start) for p in shared.parameters),
        {},
        result=_result(made),
        targets=targets if len(targets) in (1, len(made)) else (),
        line=callsite.line_at(code, offset),
        path=call.caller,
    )


def _given_for(parameter: _Parameter, value: Any, stands: Mapping[int, Traced], start: int) -> Any:
    """An argument, with what stands for its numbers in the calling function."""
    numbers = iter(parameter.numbers)

    def change(leaf: Any) -> Any:
        places = next(numbers) if type(leaf) is float else ()
        return stands.get(start + places[0], leaf) if places else leaf

    return _mapped(value, change)


def _substituted(step: Step, stands: Mapping[int, Traced], start: int) -> Step:
    """A step with what stands for its numbers, the first of which has the place `start`."""
    if not stands:
        return step
    count = itertools.count(start)
    args, kwargs = _mapped(
        _given(step), lambda leaf: stands.get(next(count), leaf) if type(leaf) is float else leaf
    )
    return replace(step, args=args, kwargs=kwargs)


def _count_numbers(steps: Sequence[Step]) -> int:
    found: list[float] = []
    for step in steps:
        _mapped(_given(step), lambda leaf: found.append(leaf) if type(leaf) is float else None)
    return len(found)
