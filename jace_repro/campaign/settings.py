"""What a campaign is told: the settings of a test, whoever asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jace import pipelines
from jace_repro.repro.selection import Selection

#: The ways through DaCe that a user may choose.
PIPELINES = tuple(found.short_name for found in pipelines.PIPELINES.values())
#: Those that are tested when nobody says which.
DEFAULT_PIPELINES = pipelines.PLANS
#: Seconds for one stage of one test when nobody says how many.
DEFAULT_TIMEOUT = 180.0


class SettingsError(Exception):
    """Settings that cannot be met on this machine."""


@dataclass(frozen=True)
class Settings:
    """How entries are tested and what is done about failures.

    Attributes:
        pipelines: ways through DaCe; none for that which a repro was made for, else `DEFAULT_PIPELINES`.
        inputs: sets of generated inputs to test after the recorded ones, at most; None for all that can tell something.
        jobs: worker processes that test at the same time.
        timeout: seconds that one stage of a test, and the whole program, may take; None when nobody said.
        rules: a Python file that every worker executes first.
        sanitize: whether programs are built with AddressSanitizer and UndefinedBehaviorSanitizer.
        environment: variables of the workers, where this process has none of that name.
        self_check: whether recorded repros are replayed under plain JAX first.
        reduce: whether a minimal repro is made of every distinct failure.
        max_inputs: repros of one entry that are tested, at most.
        select, ignore, eager: which entries are tested, see `Selection`.
        max_findings: distinct findings after which nothing more is tested; None for no such number.
        verbose: whether a failure of the harness is told with its traceback.
    """

    pipelines: tuple[str, ...] = ()
    inputs: int | None = 0
    jobs: int = 1
    timeout: float | None = None
    rules: Path | None = None
    sanitize: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    self_check: bool = True
    reduce: bool = True
    max_inputs: int = 1
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    eager: bool = True
    max_findings: int | None = None
    verbose: bool = False

    @property
    def stage_timeout(self) -> float:
        """Seconds for one stage of one test."""
        return self.timeout if self.timeout is not None else DEFAULT_TIMEOUT

    @property
    def selection(self) -> Selection:
        """Which entries are tested."""
        return Selection(self.select, self.ignore, self.eager)


def choose_pipelines(chosen: tuple[str, ...], recorded: str | None = None) -> tuple[str, ...]:
    """What the user asked for, else what the repro was made for, else the default."""
    if chosen:
        return tuple(dict.fromkeys(chosen))
    return (recorded,) if recorded else DEFAULT_PIPELINES
