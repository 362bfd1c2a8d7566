"""What the commands share: their options, how they write to a terminal, and how they end."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from jace_repro import doctor
from jace_repro.campaign import exit_codes, report

F = TypeVar("F", bound=Callable[..., Any])

PIPELINES = ("fused", "canonical", "canonical/simplify", "canonical/auto-optimize")
DEFAULT_PIPELINES = ("fused", "canonical")
DEFAULT_TIMEOUT = 180.0


@dataclass(frozen=True)
class Settings:
    """The options that every command has. `timeout` is None when the user gave none."""

    json_path: Path | None
    jobs: int
    timeout: float | None
    verbose: bool

    @property
    def stage_timeout(self) -> float:
        """Seconds for one test of one repro."""
        return self.timeout if self.timeout is not None else DEFAULT_TIMEOUT


def common_options(function: F) -> F:
    """Adds ``--json``, ``--jobs``, ``--timeout`` and ``-v``; the command gets them as one `settings`."""

    def command(
        *args: Any, json_path: Path | None, jobs: int, timeout: float | None, verbose: bool, **rest: Any
    ) -> Any:
        return function(*args, settings=Settings(json_path, jobs, timeout, verbose), **rest)

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    if hasattr(function, "__click_params__"):
        command.__click_params__ = function.__click_params__  # type: ignore[attr-defined]
    for option in reversed(_COMMON):
        command = option(command)
    return command  # type: ignore[return-value]


_COMMON: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--json",
        "json_path",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the machine report there.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Worker processes that test at the same time.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
        help=f"Seconds one test may take (default {DEFAULT_TIMEOUT:g}); when given, `run` and `record` "
        "also end the program after that long.",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Say more: eager operations, times, tracebacks."),
)


def pipeline_option(function: F) -> F:
    """Adds ``--pipeline``, repeatable."""
    return click.option(
        "--pipeline",
        "pipelines",
        multiple=True,
        type=click.Choice(PIPELINES),
        metavar="P",
        help=f"Way through DaCe to test; repeatable. One of {', '.join(PIPELINES)} "
        f"[default: {' and '.join(DEFAULT_PIPELINES)}].",
    )(function)


def rules_option(function: F) -> F:
    """Adds ``--rules``."""
    return click.option(
        "--rules",
        type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
        metavar="FILE",
        help="Python file that every worker executes first: it registers your own translation rules "
        "(jace.register_rule).",
    )(function)


def sanitize_option(function: F) -> F:
    """Adds ``--sanitize``."""
    return click.option(
        "--sanitize",
        is_flag=True,
        help="Build programs with AddressSanitizer and UndefinedBehaviorSanitizer and run them under these: an "
        "access out of bounds is a crash, told with the SDFG's state and map, the equation and your line.",
    )(function)


def _inputs(context: click.Context | None, parameter: click.Parameter | None, text: str) -> int | None:
    """How many sets of generated inputs: "recorded" is none, "all" is None. Raises BadParameter."""
    known = {"recorded": 0, "all": None}
    if text in known:
        return known[text]
    if not text.isdecimal():
        raise click.BadParameter(f"'{text}' is neither a number nor 'all' nor 'recorded'")
    return int(text)


def inputs_option(function: F) -> F:
    """Adds ``--inputs``; the command gets a number, or None for all."""
    return click.option(
        "--inputs",
        callback=_inputs,
        default="recorded",
        show_default=True,
        metavar="N|all|recorded",
        help="Test at most N sets of generated inputs after the recorded ones, or all that can tell something: exact "
        "values, special ones, ties, indices out of range, large ones, random ones. A finding on them gets a repro of "
        "its own.",
    )(function)


def report_option(function: F) -> F:
    """Adds ``--report``."""
    return click.option(
        "--report",
        "bug_report",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE.md",
        help="Write a bug report there, in markdown, ready for an issue: the repro, versions, evidence, the culprit. "
        "Of several findings each further one gets a file of its own (FILE-2.md).",
    )(function)


@dataclass
class Terminal:
    """Where a command writes: results to standard output; progress to standard error, if a person looks."""

    verbose: bool = False
    out: Console = field(default_factory=lambda: Console(highlight=False, markup=False, soft_wrap=True))
    err: Console = field(
        default_factory=lambda: Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    )

    def line(self, text: str = "", style: str | None = None) -> None:
        """One line of results."""
        self.out.print(text, style=style)

    def note(self, text: str) -> None:
        """One line about what is going on, for a person only."""
        if self.err.is_terminal or self.verbose:
            self.err.print(text, style="dim")

    def warn(self, text: str) -> None:
        """One line that must be seen whoever looks."""
        self.err.print(text, style="yellow")

    @contextlib.contextmanager
    def progress(self, what: str, total: int | None) -> Iterator[Callable[..., None]]:
        """A progress bar on a terminal, nothing in a pipe; yields ``advance(text="", steps=1)``."""
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(
            *columns,
            console=self.err,
            transient=True,
            disable=not self.err.is_terminal,
            redirect_stdout=False,
        ) as bar:
            task = bar.add_task(what, total=total)

            def advance(text: str = "", steps: int = 1) -> None:
                bar.update(task, advance=steps, description=f"{what} {text}".strip())

            yield advance


def finish(
    result: report.Report, settings: Settings, terminal: Terminal, bug_report: Path | None = None
) -> NoReturn:
    """Write the reports that were asked for, and exit with the report's code."""
    if bug_report is not None:
        _write_bug_reports(result, bug_report, terminal)
    if settings.json_path is not None:
        try:
            report.write(result, settings.json_path)
        except OSError as error:
            terminal.warn(f"jace-repro: cannot write {settings.json_path}: {error}")
            sys.exit(exit_codes.ERROR)
    sys.exit(result.exit_code)


def _write_bug_reports(result: report.Report, path: Path, terminal: Terminal) -> None:
    from jace_repro.campaign import bugreport

    try:
        written = bugreport.write(result, path)
    except OSError as error:
        terminal.warn(f"jace-repro: cannot write {path}: {error}")
        sys.exit(exit_codes.ERROR)
    for one in written:
        terminal.line(f"Bug report: {one}")
    if not written:
        terminal.line(f"No finding, so no bug report in {path}.")


def describe_error(error: BaseException, verbose: bool) -> str:
    """One line about a failure of the harness; with `verbose` its traceback follows."""
    text = f"{type(error).__name__}: {error}".strip()
    if verbose:
        return text + "\n" + "".join(traceback.format_exception(error)).rstrip()
    return text.splitlines()[0]


def warn_about_jaxlib(terminal: Terminal) -> None:
    """Say once per command that this jaxlib miscompiles, when it does."""
    warning = doctor.jaxlib_warning()
    if warning is not None:
        terminal.warn(f"jace-repro: {warning}")


def choose_pipelines(chosen: Sequence[str], recorded: str | None = None) -> tuple[str, ...]:
    """What the user asked for, else what the repro was made for, else the default."""
    if chosen:
        return tuple(dict.fromkeys(chosen))
    return (recorded,) if recorded else DEFAULT_PIPELINES
