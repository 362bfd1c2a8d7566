"""How far a job is, for a person: a live view on a terminal, a line every few seconds in a pipe."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from jace_repro.campaign.observer import Job

#: Seconds between two lines in a pipe.
INTERVAL = 5.0
_WIDTH = 24


@dataclass
class _At:
    """What a thread is at."""

    what: str
    stage: str
    since: float


@dataclass
class Watched(Job):
    """A job, and all that there is to tell of it.

    Attributes:
        what: its name.
        total: how many steps it has; None when nobody knows.
        started: when it began.
        finished: how many steps are done.
        findings: that they made.
        said: what else is to be said of it.
        program: the text to show below it.
        at: what each thread is at.
    """

    what: str
    total: int | None
    started: float = field(default_factory=time.monotonic)
    finished: int = 0
    findings: int = 0
    said: str = ""
    program: str = ""
    at: dict[int, _At] = field(default_factory=dict)

    def working(self, what: str) -> None:
        """See `Job`."""
        self.at[threading.get_ident()] = _At(what, "", time.monotonic())

    def stage(self, stage: str) -> None:
        """See `Job`."""
        if (now := self.at.get(threading.get_ident())) is not None:
            now.stage = stage

    def rests(self) -> None:
        """See `Job`."""
        self.at.pop(threading.get_ident(), None)

    def done(self, steps: int = 1, *, findings: int = 0) -> None:
        """See `Job`."""
        self.finished += steps
        self.findings += findings

    def says(self, text: str) -> None:
        """See `Job`."""
        self.said = text

    def shows(self, program: str) -> None:
        """See `Job`."""
        self.program = program

    def status(self) -> str:
        """The job in one line, without what is done at the moment."""
        passed = time.monotonic() - self.started
        parts = [f"{self.what} {self.finished}" + (f" of {self.total}" if self.total is not None else "")]
        if self.said:
            parts.append(self.said)
        if self.findings:
            parts.append(f"{self.findings} finding" + ("s" if self.findings > 1 else ""))
        parts.append(_seconds(passed))
        if self.total is not None and 0 < self.finished < self.total:
            parts.append(f"about {_seconds(passed / self.finished * (self.total - self.finished))} left")
        return ", ".join(parts)

    def now(self) -> list[str]:
        """What is done at the moment, a line each."""
        lines = []
        for one in list(self.at.values()):
            stage = f", {one.stage}" if one.stage else ""
            lines.append(f"{one.what}{stage}, {_seconds(time.monotonic() - one.since)}")
        return lines


def _seconds(count: float) -> str:
    return f"{count:.0f} s" if count < 100 else f"{count / 60:.1f} min"


@contextlib.contextmanager
def live(job: Watched, console: Console) -> Iterator[None]:
    """Show a job on a terminal as long as it lasts."""
    view = Live(
        get_renderable=lambda: _view(job),
        console=console,
        refresh_per_second=4,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with view:
        yield


def _view(job: Watched) -> RenderableType:
    row = Table.grid(padding=(0, 1))
    row.add_row(ProgressBar(job.total, job.finished, width=_WIDTH, pulse=job.total is None), job.status())
    lines: list[RenderableType] = [row, *(Text(f"  {line}", style="dim") for line in job.now())]
    if job.program:
        lines.append(Padding(Text(job.program), (1, 0, 0, 2)))
    return Group(*lines)


@contextlib.contextmanager
def logged(job: Watched, console: Console, interval: float = INTERVAL) -> Iterator[None]:
    """Tell of a job in a line every few seconds as long as it lasts."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(interval):
            console.print(f"jace-repro: {'; '.join([job.status(), *job.now()])}")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
