"""The options that commands share; `common_options` makes `Settings` and `Output` of them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from jace_repro.campaign.settings import (
    DEFAULT_PIPELINES,
    DEFAULT_TIMEOUT,
    PIPELINES,
    Settings,
    SettingsError,
)
from jace_repro.cli.output import Output
from jace_repro.cli.terminal import Terminal
from jace_repro.repro import Repro, ReproError, load

F = TypeVar("F", bound=Callable[..., Any])

_SETTINGS = frozenset(field.name for field in dataclasses.fields(Settings))


def common_options(function: F) -> F:
    """Adds ``--json``, ``--jobs``, ``--timeout`` and ``-v``.

    The command is called with `settings`, which holds what the user chose of all options that are settings, with
    `output`, and with the rest. Settings that cannot be met here are a usage error.
    """

    @functools.wraps(function)
    def command(json_path: Path | None, bug_report: Path | None = None, **given: Any) -> Any:
        chosen = {name: given.pop(name) for name in _SETTINGS & given.keys()}
        settings = Settings(**chosen)
        output = Output(Terminal(settings.verbose), json_path, bug_report)
        try:
            return function(settings=settings, output=output, **given)
        except SettingsError as error:
            raise click.UsageError(str(error)) from error

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


def _sets(context: click.Context | None, parameter: click.Parameter | None, text: str) -> int | None:
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
        callback=_sets,
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


def read_repro(path: Path) -> Repro:
    """The repro that a user names. Raises click.UsageError."""
    try:
        return load(path)
    except (OSError, ReproError) as error:
        raise click.UsageError(f"{path}: {error}") from error
