"""The pass that takes away axes of one element: scalars where arrays of one element stood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import retraced, until_none_helps
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem


@reduction_pass("drop axes", order=102, trigger=sizes_left)
def drop_axes(problem: Problem) -> Candidates:
    """Take axes of one element away from all arguments: all such axes, then those at each place."""
    return until_none_helps(problem, _steps)


def _steps(problem: Problem) -> Iterator[Problem]:
    return filter(None, (_without(problem, place) for place in _places(problem)))


def _places(problem: Problem) -> Iterator[int | None]:
    """Everywhere (None), then each axis counted from the front, and from the back (-1 is the last)."""
    yield None
    for place in range(max((np.ndim(arg) for arg in problem.args), default=0)):
        yield place
        yield -1 - place


def _without(problem: Problem, place: int | None) -> Problem | None:
    """The problem on arguments that lack these axes, where they are of one element; None when it does not fit."""
    args = [_squeezed(arg, place) for arg in problem.args]
    if all(new is old for new, old in zip(args, problem.args, strict=True)):
        return None
    return retraced(problem, args, {}, "without axes of one element")


def _squeezed(arg: Any, place: int | None) -> Any:
    shape = np.shape(arg)
    goes = {k for k, n in enumerate(shape) if n == 1 and place in (None, k, k - len(shape))}
    return arg.reshape([n for k, n in enumerate(shape) if k not in goes]) if goes else arg
