"""What a campaign tells while it goes on, to whom it concerns: a terminal, a log, nobody."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from jace_repro.campaign.report import EntryReport


class Advance(Protocol):
    """Called when a step of a longer job is done; `text` says what it was about."""

    def __call__(self, text: str = "", steps: int = 1) -> None:
        """So many steps are done."""


def _ignore(*_: Any) -> None:
    """Nobody listens."""


@contextlib.contextmanager
def _unseen(what: str, total: int | None) -> Iterator[Advance]:
    """The progress of a job that nobody watches."""

    def advance(text: str = "", steps: int = 1) -> None:
        pass

    yield advance


@dataclass(frozen=True)
class Observer:
    """Who is told what; everything is called in the thread that runs the campaign.

    Attributes:
        begins: ``begins("reducing f")``: what is done now.
        progress: ``with progress("testing", total) as advance``: a job of so many steps, None when they are not known.
        tested: ``tested(entry, remark)``: the verdicts of an entry are there; `remark` is what else there is to say of
            it, "" for nothing.
        all_tested: ``all_tested(entries)``: so are those of all; reductions follow.
    """

    begins: Callable[[str], None] = _ignore
    progress: Callable[[str, int | None], AbstractContextManager[Advance]] = _unseen
    tested: Callable[[EntryReport, str], None] = _ignore
    all_tested: Callable[[Sequence[EntryReport]], None] = _ignore


NOBODY = Observer()
