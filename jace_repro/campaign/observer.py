"""What a campaign tells while it goes on, to whom it concerns: a terminal, a log, nobody."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from jace_repro.campaign.report import EntryReport


class Job:
    """A job of several steps, told how far it is; nobody watches this one.

    `working`, `stage` and `rests` are called in the thread that they are about.
    """

    def working(self, what: str) -> None:
        """This thread begins a step: `what` it is about."""

    def stage(self, stage: str) -> None:
        """This thread's step is in a stage ("compile", "run", ...)."""

    def rests(self) -> None:
        """This thread is at nothing now."""

    def done(self, steps: int = 1, *, findings: int = 0) -> None:
        """So many steps are done, and made so many findings."""

    def says(self, text: str) -> None:
        """What else is to be said of the job."""

    def shows(self, program: str) -> None:
        """The program that it is about, as it is now."""


def _ignore(*_: Any) -> None:
    """Nobody listens."""


@contextlib.contextmanager
def _unseen(what: str, total: int | None) -> Iterator[Job]:
    """A job that nobody watches."""
    yield Job()


@dataclass(frozen=True)
class Observer:
    """Who is told what; everything but a job is called in the thread that runs the campaign.

    Attributes:
        begins: ``begins("reducing f")``: what is done now.
        progress: ``with progress("testing", total) as job``: a job of so many steps, None when they are not known.
        tested: ``tested(entry, remark)``: the verdicts of an entry are there; `remark` is what else there is to say of
            it, "" for nothing.
        all_tested: ``all_tested(entries)``: so are those of all; reductions follow.
    """

    begins: Callable[[str], None] = _ignore
    progress: Callable[[str, int | None], AbstractContextManager[Job]] = _unseen
    tested: Callable[[EntryReport, str], None] = _ignore
    all_tested: Callable[[Sequence[EntryReport]], None] = _ignore


NOBODY = Observer()
