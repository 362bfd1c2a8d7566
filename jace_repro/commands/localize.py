"""``jace-repro localize``: the first diverging equation of a repro."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from jace_repro.commands import summary, testing
from jace_repro.commands.common import (
    Settings,
    Terminal,
    choose_pipelines,
    common_options,
    describe_error,
    finish,
    pipeline_option,
    rules_option,
    sanitize_option,
    warn_about_jaxlib,
)
from jace_repro.report import EntryReport, Report
from jace_repro.repro import ReproError, load


@click.command("localize")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py")
@pipeline_option
@rules_option
@sanitize_option
@common_options
def command(
    path: Path, pipelines: tuple[str, ...], rules: Path | None, sanitize: bool, settings: Settings
) -> None:
    """Name the first equation of REPRO.py that DaCe computes differently from XLA.

    The equations are evaluated one by one with XLA; each is run alone through DaCe on the same operand
    values. When no equation diverges alone, the failure lies in how they are combined, and that is said.
    """
    terminal = Terminal(verbose=settings.verbose)
    warn_about_jaxlib(terminal)
    try:
        repro = load(path)
    except (OSError, ReproError) as error:
        raise click.UsageError(f"{path}: {error}") from error
    entry = EntryReport(repro.header.name, path.as_posix(), repro=path)
    errors: list[str] = []
    interrupted = False
    try:
        with testing.open_pool(settings, rules, sanitize=sanitize) as pool:
            (entry,) = testing.check_entries(
                [entry],
                pool,
                choose_pipelines(pipelines, repro.header.pipeline),
                settings,
                terminal,
                lambda _, tested: terminal.line(*summary.result_line(tested)),
            )
            verdict = testing.first_finding(entry)
            if verdict is not None and verdict.crash is not None and verdict.guilty is not None:
                # What runs the equations one by one would crash as well; the crash itself has said where.
                entry = replace(entry, localized=testing.localized_json(repro, None, verdict))
            elif verdict is not None:
                try:
                    found = pool.localize(repro, verdict.pipeline)
                except Exception as error:  # the tester's failure is reported, the verdict stands
                    errors.append(f"localize: {describe_error(error, settings.verbose)}")
                    found = None
                entry = replace(entry, localized=testing.localized_json(repro, found, verdict))
                if found is None and not errors:
                    terminal.line(
                        "No equation diverges alone: the failure lies in how equations are combined."
                    )
    except KeyboardInterrupt:
        interrupted = True
    result = Report("localize", (entry,), errors=tuple(errors), interrupted=interrupted)
    summary.print_summary(result, terminal, base=None)
    finish(result, settings, terminal)
