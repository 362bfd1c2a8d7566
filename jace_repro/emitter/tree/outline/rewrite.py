"""Calls of shared functions in the place of their steps.

Where the same function took the same steps on other values, often enough to be worth it, they become calls of one
function; its parameters are called what they are in the program, and numbers that differ are parameters as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jace_repro.emitter.tree.containers import mapped
from jace_repro.emitter.tree.outline.calls import PythonCall, calls
from jace_repro.emitter.tree.outline.parameters import Outlined, as_result, clearest_first, outlined
from jace_repro.emitter.tree.outline.shapes import Shape, defined_keys, every_call, given_to, shapes_of
from jace_repro.emitter.tree.outline.worth import worthwhile
from jace_repro.trace import callsite
from jace_repro.trace.model import Body, Step, Traced, bodies_of


def outline(root: Body) -> None:
    """Put calls of shared functions in the place of their steps, in a body and in all that ran in it."""
    own = (body for body in bodies_of(root) if body.function.fun is not None)  # a script may be written twice
    bodies = [body for body in own if any(len(step.path) > 1 for step in body.steps)]
    if not bodies:
        return
    trees = [calls(body.steps) for body in bodies]
    shapes: dict[int, Shape] = {}
    for body, items in zip(bodies, trees, strict=True):
        shapes |= shapes_of(body, items)
    found: dict[Any, list[PythonCall]] = {
        key: [] for key in worthwhile(trees, shapes, defined_keys(root, shapes))
    }
    for call in itertools.chain.from_iterable(map(every_call, trees)):
        if id(call) in shapes and shapes[id(call)].key in found:
            found[shapes[id(call)].key].append(call)
    ordered = {key: clearest_first(alike, shapes) for key, alike in found.items()}
    found = {key: alike for key, alike in ordered.items() if alike}
    shared = {key: outlined(alike, shapes) for key, alike in found.items()}
    for key, one in shared.items():
        stands = {place: value for p in one.parameters for place, value in p.stands()}
        one.helper.body.steps = list(_written(found[key][0].items, shapes, shared, stands))
    for body, items in zip(bodies, trees, strict=True):
        if shared:
            body.steps = list(_written(items, shapes, shared, {}))


def _written(
    items: Sequence[Step | PythonCall],
    shapes: Mapping[int, Shape],
    shared: Mapping[Any, Outlined],
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


def _called(
    call: PythonCall, shape: Shape, function: Outlined, stands: Mapping[int, Traced], start: int
) -> Step:
    """The step that calls a shared function."""
    index = function.index[id(call)]
    made = [shape.made[place] for place in function.returned]
    code, offset = call.caller[-1]
    targets = callsite.targets_of(code, offset)
    return Step(
        function.helper,
        tuple(parameter.argument(index, stands, start) for parameter in function.parameters),
        {},
        result=as_result(made),
        targets=targets if len(targets) in (1, len(made)) else (),
        line=callsite.line_at(code, offset),
        path=call.caller,
    )


def _substituted(step: Step, stands: Mapping[int, Traced], start: int) -> Step:
    """A step with what stands for its numbers, the first of which has the place `start`."""
    if not stands:
        return step
    count = itertools.count(start)
    args, kwargs = mapped(
        given_to(step), lambda leaf: stands.get(next(count), leaf) if type(leaf) is float else leaf
    )
    return replace(step, args=args, kwargs=kwargs)


def _count_numbers(steps: Sequence[Step]) -> int:
    """How many numbers the steps are given."""
    found: list[float] = []
    for step in steps:
        mapped(given_to(step), lambda leaf: found.append(leaf) if type(leaf) is float else None)
    return len(found)
