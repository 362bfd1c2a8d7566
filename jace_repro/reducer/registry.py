"""A table that passes enter themselves in, each with its place in the order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from jace_repro.reducer.candidate import C
from jace_repro.reducer.loop import Pass, length_left

Run = TypeVar("Run", bound=Callable[..., Any])


class Passes(Generic[C]):
    """The passes on one form of programs."""

    def __init__(self) -> None:
        self._by_order: dict[int, Pass[C]] = {}

    def entering(
        self, name: str, *, order: int, trigger: Callable[[C], Hashable] = length_left
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
            if order in self._by_order:
                other = self._by_order[order].name
                raise ValueError(f"passes {other!r} and {name!r} both have the order {order}")
            self._by_order[order] = Pass(name, run, trigger)
            return run

        return enter

    def in_order(self) -> tuple[Pass[C], ...]:
        """All passes that have entered themselves, in their order."""
        return tuple(one for _, one in sorted(self._by_order.items(), key=lambda item: item[0]))
