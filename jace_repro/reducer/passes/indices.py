"""The pass on what indexes and what is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.passes.shapes import Axis, Group, groups
from jace_repro.reducer.problem import Candidates, Problem

#: Arguments with more integers are no indices of a program that is small already.
_FEW = 64


@reduction_pass("shrink with indices", order=101, trigger=sizes_left)
def shrink_with_indices(problem: Problem) -> Candidates:
    """Axes made shorter together with integers that may index them: what was the last element stays the last one."""
    current = problem
    done: set[tuple[frozenset[Axis], bool, bool]] = set()
    while (group := next((g for g in groups(current) if g.kind not in done), None)) is not None:
        done.add(group.kind)
        for candidate in _with_indices(current, group):
            if (yield candidate):
                current = candidate
                break


def _with_indices(problem: Problem, group: Group) -> Iterator[Problem]:
    for new in sorted({n for n in (2, 3, group.size // 2, group.size - 1) if 1 < n < group.size}):
        args = [_moved(arg, group.size, new) for arg in problem.args]
        if all(one is other for one, other in zip(args, problem.args, strict=True)):
            continue
        smaller = group.shrunk(replace(problem, args=tuple(args)), new)
        if smaller is not None:
            yield smaller.renamed(f"axis of {group.size} to {new}, and indices with it")


def _moved(arg: Any, size: int, new: int) -> Any:
    """Integers that index an axis of `size` elements, in one of `new`: those beyond it come as much nearer."""
    if not isinstance(arg, np.ndarray | np.generic) or arg.dtype.kind not in "iu" or arg.size > _FEW:
        return arg
    array = np.asarray(arg)
    beyond = (array >= new) & (array < size)
    return np.where(beyond, array - np.asarray(size - new, array.dtype), array)[()] if np.any(beyond) else arg
