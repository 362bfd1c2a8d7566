"""Which calls make a script shorter as calls of a function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from jace_repro.emitter.tree.outline.calls import PythonCall
from jace_repro.emitter.tree.outline.shapes import Shape
from jace_repro.trace.model import Step


def worthwhile(
    trees: Sequence[Sequence[Step | PythonCall]], shapes: Mapping[int, Shape], defined: set[Any]
) -> set[Any]:
    """The keys of the calls that are kept: those with which the script is shorter.

    Args:
        trees: the steps and calls of each body.
        shapes: those of the calls that may be kept, by the identities of the calls.
        defined: the keys of functions that are defined anyway.
    """
    kept = {shape.key for shape in shapes.values()}
    while True:
        counts: dict[Any, list[PythonCall]] = defaultdict(list)
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
    items: Sequence[Step | PythonCall],
    shapes: Mapping[int, Shape],
    kept: set[Any],
    counts: dict[Any, list[PythonCall]],
) -> None:
    """Note the calls that are kept; those within one once, as it is written once."""
    for call in items:
        if not isinstance(call, PythonCall):
            continue
        shape = shapes.get(id(call))
        if shape is not None and shape.key in kept:
            counts[shape.key].append(call)
            if len(counts[shape.key]) > 1:
                continue
        _count(call.items, shapes, kept, counts)
