"""The options that commands share; `common_options` makes `Settings` and `Output` of them."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from jace import pipelines
from jace_repro.campaign.settings import (
    DEFAULT_PIPELINES,
    DEFAULT_TIMEOUT,
    PIPELINES,
    Settings,
    SettingsError,
)
from jace_repro.cli import config
from jace_repro.repro.selection import Pattern, PatternError
from jace_repro.tracker.recording import OUT_ROOT

# A command imports what it needs when it runs: a shell that completes it waits for its options.
if TYPE_CHECKING:
    from jace_repro.campaign.files import Loaded
    from jace_repro.repro import Repro

F = TypeVar("F", bound=Callable[..., Any])

#: Workers that nobody asked for: each takes its share of the memory.
MOST_JOBS = 4
_SETTINGS = frozenset(field.name for field in dataclasses.fields(Settings))


def common_options(function: F) -> F:
    """Adds ``--json``, ``--jobs``, ``--timeout``, ``-q`` and ``-v``.

    The command is called with `settings`, which holds what the user chose of all options that are settings, with
    `output`, and with the rest. Settings that cannot be met here are a usage error.
    """

    @functools.wraps(function)
    def command(quiet: bool, **given: Any) -> Any:
        from jace.build import is_full
        from jace_repro.campaign.own_passes import settled
        from jace_repro.cli.output import Output
        from jace_repro.cli.standard_output import claimed
        from jace_repro.cli.terminal import Terminal

        chosen = {name: given.pop(name) for name in _SETTINGS & given.keys()}
        try:
            settings = settled(Settings(**chosen))
        except SettingsError as error:
            raise click.UsageError(str(error)) from error
        fields = {field.name for field in dataclasses.fields(Output)}
        written = {name: given.pop(name) for name in fields & given.keys()}
        stdout = claimed(path for path in written.values() if isinstance(path, Path))
        output = Output(Terminal(settings.verbose, quiet), stdout=stdout, **written)
        read = click.get_current_context().meta.get(config.META)
        if settings.verbose and read is not None:
            output.terminal.note(f"options from {read}")
        try:
            return function(settings=settings, output=output, **given)
        except SettingsError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            if not is_full(error):
                raise
            raise click.ClickException(f"the disk is full, so this was not finished: {error}") from error

    for option in reversed(_COMMON):
        command = option(command)
    return command  # type: ignore[return-value]


_COMMON: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--json",
        "json_path",
        type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
        metavar="FILE",
        help="Write the machine report there; - is standard output, where nothing else goes then.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=lambda: min(os.cpu_count() or 1, MOST_JOBS),
        metavar="N",
        help=f"Worker processes that test at the same time [default: the number of cores, {MOST_JOBS} at most].",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
        help=f"Seconds one stage of a test may take (default {DEFAULT_TIMEOUT:g}; what it waits for a processor on a "
        "busy machine does not count, and a script of more than 2,000 lines is compiled for longer); when given, `run` "
        "and `record` also end the program after that long.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Say only what was found: no progress."),
    click.option("-v", "--verbose", is_flag=True, help="Say more: eager operations, times, tracebacks."),
)


class _Pipeline(click.types.StringParamType):
    """The name of a way through DaCe; the file of a user's pass is looked into when the command runs."""

    name = "pipeline"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            pipelines.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        asked = incomplete.startswith("canonical/x")  # there are many
        ships = [f"canonical/xform:{name}" for name in (pipelines.transformations() if asked else ())]
        return [CompletionItem(name) for name in (*PIPELINES, *ships) if name.startswith(incomplete)]


def out_option(what: str) -> Callable[[F], F]:
    """Adds ``-o/--out``: a directory for `what`, of which the default is a new one."""
    return click.option(
        "-o",
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help=f"Directory for {what} [default: a new one in {OUT_ROOT}].",
    )


def testing_options(function: F) -> F:
    """Adds the options of all commands that test: on what, until when, with which report, and `common_options`."""
    shared = (pipeline_option, inputs_option, stop_options, report_options, rules_option, sanitize_option)
    return functools.reduce(lambda made, option: option(made), reversed(shared), common_options(function))


def pipeline_option(function: F) -> F:
    """Adds ``--pipeline``, repeatable."""
    return click.option(
        "--pipeline",
        "pipelines",
        multiple=True,
        type=_Pipeline(),
        metavar="P",
        help=f"Way through DaCe to test; repeatable. One of {', '.join(PIPELINES)}, or canonical/STEP+STEP... with "
        "any of DaCe's transformations (xform:MapTiling) and passes of your own (FILE.py:NAME) "
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
        "--sanitize/--no-sanitize",
        default=False,
        help="Build programs with AddressSanitizer and UndefinedBehaviorSanitizer and run them under these: an "
        "access out of bounds is a crash, told with the SDFG's state and map, the equation and your line.",
    )(function)


def reduce_option(function: F) -> F:
    """Adds ``--reduce``."""
    return click.option(
        "--reduce/--no-reduce",
        default=True,
        show_default=True,
        help="Whether a minimal repro is made of every distinct failure.",
    )(function)


def corpus_option(function: F) -> F:
    """Adds ``--corpus-dir``."""
    return click.option(
        "--corpus-dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("corpus"),
        show_default=True,
        metavar="DIR",
        help="The directory of the corpus.",
    )(function)


def self_check_option(function: F) -> F:
    """Adds ``--self-check``."""
    return click.option(
        "--self-check/--no-self-check",
        default=True,
        show_default=True,
        help="Whether the recorded repros are replayed under plain JAX, in fresh processes.",
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


def _patterns(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The same patterns. Raises click.BadParameter for what is none."""
    try:
        return tuple(str(Pattern.parse(text)) for text in texts)
    except PatternError as error:
        raise click.BadParameter(str(error), context, option) from error


def selection_options(function: F) -> F:
    """Adds ``--select``, ``--ignore`` and ``--no-eager``."""
    for option in reversed(
        (
            click.option(
                "--select",
                multiple=True,
                callback=_patterns,
                metavar="PATTERN",
                help="Only entries that this means; repeatable, any counts. A pattern is a name of a function ('step', "
                "'loss_*'), 'file:train.py' or 'file:models/' (of the source), or 'primitive:scan'; * ? [ab] as in a "
                "shell.",
            ),
            click.option(
                "--ignore",
                multiple=True,
                callback=_patterns,
                metavar="PATTERN",
                help="No entries that this means; repeatable. It wins over --select.",
            ),
            click.option(
                "--eager/--no-eager",
                default=True,
                show_default=True,
                help="Whether operations that JAX runs between jitted calls (jnp.sin(x)) count.",
            ),
        )
    ):
        function = option(function)
    return function


def stop_options(function: F) -> F:
    """Adds ``-x`` and ``--max-findings``."""

    @functools.wraps(function)
    def command(stop_at_first: bool, max_findings: int | None, **given: Any) -> Any:
        return function(max_findings=1 if stop_at_first else max_findings, **given)

    for option in (
        click.option(
            "--max-findings",
            type=click.IntRange(min=1),
            metavar="N",
            help="Test nothing more after N distinct findings.",
        ),
        click.option(
            "-x", "stop_at_first", is_flag=True, help="Stop at the first finding: --max-findings 1."
        ),
    ):
        command = option(command)
    return command  # type: ignore[return-value]


def report_options(function: F) -> F:
    """Adds ``--report``, ``--junit``, ``--sarif`` and ``--github``."""
    file = click.Path(dir_okay=False, path_type=Path, allow_dash=True)
    for option in (
        click.option(
            "--github/--no-github",
            default=False,
            help="Print findings as annotations of a GitHub workflow, which shows them beside your source.",
        ),
        click.option("--sarif", type=file, metavar="FILE", help="Write findings there as SARIF 2.1.0."),
        click.option("--junit", type=file, metavar="FILE", help="Write results there as JUnit XML."),
        click.option(
            "--report",
            "bug_report",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE.md",
            help="Write a bug report there, in markdown, ready for an issue: the repro, versions, evidence, the "
            "culprit. Of several findings each further one gets a file of its own (FILE-2.md).",
        ),
    ):
        function = option(function)
    return function


def named_repros(paths: Sequence[Path]) -> Loaded:
    """The repros that a user names. Raises click.UsageError when there is none."""
    from jace_repro.campaign.files import load_repros

    loaded = load_repros(paths)
    if not loaded.repros:
        raise click.UsageError("\n".join(loaded.errors))
    return loaded


def read_repro(path: Path) -> Repro:
    """The repro that a user names. Raises click.UsageError."""
    from jace_repro.repro import ReproError, load

    try:
        return load(path)
    except (OSError, ReproError) as error:
        raise click.UsageError(f"{path}: {error}") from error
