"""How a command writes: results to standard output, what is going on to standard error, in colour on a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console

from jace_repro.campaign.observer import Job
from jace_repro.campaign.text import Line
from jace_repro.cli.progress import Watched, live, logged

_COLOURS = {"plain": None, "doubtful": "yellow", "bad": "red"}


class _Results(Console):
    """Standard output, which somebody may stop to read (`| head`): the reports that were asked for are written yet."""

    def on_broken_pipe(self) -> None:
        """Say nothing more there; Rich would end the process."""
        self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@dataclass
class Terminal:
    """Where a command writes: results to standard output; progress to standard error, if a person looks."""

    verbose: bool = False
    quiet: bool = False
    out: Console = field(default_factory=lambda: _Results(highlight=False, markup=False, soft_wrap=True))
    err: Console = field(
        default_factory=lambda: Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    )

    def line(self, text: str = "", style: str | None = None) -> None:
        """One line of results."""
        self.out.print(text, style=style)

    def show(self, *lines: Line) -> None:
        """Lines of results, coloured by what they tell."""
        for line in lines:
            self.line(line.text, _COLOURS[line.tone])

    def note(self, text: str) -> None:
        """One line about what is going on, for a person only."""
        if (self.err.is_terminal or self.verbose) and not self.quiet:
            self.err.print(f"jace-repro: {text}", style="dim")

    def warn(self, text: str) -> None:
        """One line that must be seen whoever looks."""
        self.err.print(f"jace-repro: {text}", style="yellow")

    @contextlib.contextmanager
    def progress(self, what: str, total: int | None) -> Iterator[Job]:
        """A job, shown while it lasts: live on a terminal, a line now and then in a pipe, not at all when quiet."""
        job = Watched(what, total)
        if self.quiet:
            yield job
            return
        with live(job, self.err) if self.err.is_terminal else logged(job, self.err):
            yield job
