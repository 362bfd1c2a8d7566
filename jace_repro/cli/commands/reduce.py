"""Reduce a failing repro to a minimal one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import (
    common_options,
    inputs_option,
    pipeline_option,
    read_repro,
    report_options,
    rules_option,
)
from jace_repro.repro.entry import Entry

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 50


@click.command("reduce")
@click.argument("path", type=click.Path(path_type=Path), metavar="REPRO.py|DIR")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Where to write the minimal repro [default: REPRO.min.py], or those of a directory [default: DIR/minimal].",
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
    metavar="N",
    help="Candidates to test at most [default: 100, with --as-written 400].",
)
@click.option(
    "--as-written",
    is_flag=True,
    help="Edit the script, not the jaxpr that it traces to: what is left are calls as its author wrote them "
    "(for those in calltrees/).",
)
@click.option(
    "--history",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the ever smaller repros on the way there, by number.",
)
@pipeline_option
@inputs_option
@report_options
@rules_option
@common_options
def command(
    path: Path,
    out: Path | None,
    signature: str | None,
    predicate: str | None,
    max_calls: int | None,
    as_written: bool,
    history: Path | None,
    settings: Settings,
    output: Output,
) -> None:
    """Reduce REPRO.py to the smallest program that fails the same way.

    The same way means the same signature: outcome, guilty primitive and pass, kind of difference. Fewer
    equations count first, then fewer elements, then plainer values.

    The best so far is at -o all the time: after a kill, reducing that goes on from there.

    Of a directory all repro files below it are tested (but not those in -o); of those that fail the same way the
    smallest is reduced.

    \b
    jace-repro reduce entries/step.py -o minimal.py
    jace-repro reduce calltrees/step.py --as-written
    jace-repro reduce recording
    jace-repro reduce --inputs all entries/step.py
    jace-repro reduce big.py --predicate 'python still_wrong.py'
    """
    from jace_repro.campaign.reduce import NothingToReduceError, reduce_file
    from jace_repro.campaign.report import EntryReport
    from jace_repro.campaign.run import MINIMAL
    from jace_repro.campaign.text import result_line, summary_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    terminal = output.terminal
    warn_about_machine(terminal)
    if path.is_dir():
        if as_written or any(given is not None for given in (signature, predicate, max_calls, history)):
            raise click.UsageError(
                "--signature, --predicate, --max-calls, --as-written and --history go with one repro, "
                "not with a directory"
            )
        _reduce_directory(path, out or path / MINIMAL, settings, output)
    if settings.inputs != 0 and (as_written or predicate is not None):
        raise click.UsageError(
            "--inputs goes with neither --as-written nor --predicate: these take a repro as it is "
            "(check --inputs writes one of a finding on generated inputs)"
        )
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
            as_written=as_written,
            history=history,
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


def _reduce_directory(directory: Path, out: Path, settings: Settings, output: Output) -> NoReturn:
    """Reduce what fails of the repros below a directory."""
    from jace_repro.campaign.files import load_repros, repro_files, without
    from jace_repro.campaign.reduce import reduce_files
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing

    loaded = load_repros(without(repro_files(directory), out))
    if not loaded.repros and not loaded.errors:
        raise click.UsageError(f"{directory}: no repro file in it, nor below it")
    terminal = output.terminal
    result = reduce_files(loaded, out, settings, observing(terminal), base=output.base)
    terminal.show(*summary_lines(result))
    finish(result, output)
