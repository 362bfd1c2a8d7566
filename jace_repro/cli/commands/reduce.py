"""Reduce a failing repro to a minimal one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.reduce import NothingToReduceError, reduce_file
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.text import result_line, summary_lines
from jace_repro.cli.options import common_options, pipeline_option, read_repro, report_option, rules_option
from jace_repro.cli.output import Output, finish, observing, warn_about_jaxlib
from jace_repro.repro.entry import Entry
from jace_repro.tester.verdict.outcomes import REDUCE_CALLS

ORDER = 50


@click.command("reduce")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), metavar="REPRO.py")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the minimal repro [default: REPRO.min.py].",
)
@click.option("--signature", metavar="S", help="Keep this failure, when the repro shows several.")
@click.option(
    "--predicate",
    metavar="CMD",
    help="Judge candidates by a command, not by the tester: "
    "CMD FILE exits 0 while FILE still fails ({} in CMD stands for FILE).",
)
@click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=REDUCE_CALLS,
    show_default=True,
    metavar="N",
    help="Candidates to test at most.",
)
@pipeline_option
@report_option
@rules_option
@common_options
def command(
    path: Path,
    out: Path | None,
    signature: str | None,
    predicate: str | None,
    max_calls: int,
    settings: Settings,
    output: Output,
) -> None:
    """Reduce REPRO.py to the smallest program that fails the same way.

    The same way means the same signature: outcome, guilty primitive and pass, kind of difference. Fewer
    equations count first, then fewer elements, then plainer values.

    \b
    jace-repro reduce entries/step.py -o minimal.py
    jace-repro reduce big.py --predicate 'python still_wrong.py'
    """
    terminal = output.terminal
    warn_about_jaxlib(terminal)
    repro = read_repro(path)
    try:
        result = reduce_file(
            path,
            repro,
            out if out is not None else path.with_suffix(".min.py"),
            settings,
            observing(terminal),
            signature=signature,
            max_calls=max_calls,
            predicate=predicate,
        )
    except NothingToReduceError as error:
        entry = EntryReport(
            Entry(repro.header.name, source=path.as_posix()), repro=path, verdicts=error.verdicts
        )
        terminal.show(result_line(entry))
        terminal.warn(str(error))
        sys.exit(exit_codes.ERROR)
    terminal.show(*summary_lines(result))
    finish(result, output)
