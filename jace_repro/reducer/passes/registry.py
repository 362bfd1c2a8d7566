"""The table that passes enter themselves in.

@reduction_pass("drop outputs", order=30, trigger=...)
def drop_outputs(problem: Problem) -> Candidates: ...
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from jace_repro.reducer.loop import Pass, length_left
from jace_repro.reducer.problem import Candidates, Problem

Run = TypeVar("Run", bound=Callable[[Problem], Candidates])

_PASSES: dict[int, Pass[Problem]] = {}


def reduction_pass(
    name: str, *, order: int, trigger: Callable[[Problem], Hashable] = length_left
) -> Callable[[Run], Run]:
    """Enters the function below it as a pass.

    Args:
        name: for progress lines and reports.
        order: passes are tried in ascending order, what makes programs shorter first.
        trigger: see `Pass`.
    Raises:
        ValueError: another pass has that place.
    """

    def enter(run: Run) -> Run:
        if order in _PASSES:
            raise ValueError(f"passes {_PASSES[order].name!r} and {name!r} both have the order {order}")
        _PASSES[order] = Pass(name, run, trigger)
        return run

    return enter


def registered() -> tuple[Pass[Problem], ...]:
    """All passes that have entered themselves, in their order."""
    return tuple(one for _, one in sorted(_PASSES.items(), key=lambda item: item[0]))
