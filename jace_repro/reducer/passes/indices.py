"""The pass on what indexes and what is indexed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.passes.shapes import Axis, Group, groups
from jace_repro.reducer.problem import Candidates, Problem

#: Arguments with more integers are no indices of a program that is small already.
_FEW = 64
#: So many are moved one by one, too.
_APART = 4


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
    for new in sorted({n for n in (1, 2, 3, group.size // 2, group.size - 1) if 0 < n < group.size}):
        for args in _moved(problem.args, group.size, new):
            smaller = group.shrunk(replace(problem, args=tuple(args)), new)
            if smaller is not None:
                yield smaller.renamed(f"axis of {group.size} to {new}, and indices with it")


def _moved(args: Sequence[Any], size: int, new: int) -> Iterator[list[Any]]:
    """Arguments whose integers that index an axis of `size` elements are as much nearer as it is shorter.

    All that are beyond its new end; then one, where there are several: the others may index another axis.
    """
    beyond = [
        (i, place)
        for i, arg in enumerate(args)
        if isinstance(arg, np.ndarray | np.generic) and arg.dtype.kind in "iu" and arg.size <= _FEW
        for place in zip(*np.nonzero((np.atleast_1d(arg) >= new) & (np.atleast_1d(arg) < size)), strict=True)
    ]
    alone = [[one] for one in beyond] if 1 < len(beyond) <= _APART else []
    for chosen in ([beyond] if beyond else []) + alone:
        moved = {i: np.atleast_1d(args[i]).copy() for i, _ in chosen}
        for i, place in chosen:
            moved[i][place] -= size - new
        yield [moved[i].reshape(np.shape(arg))[()] if i in moved else arg for i, arg in enumerate(args)]
