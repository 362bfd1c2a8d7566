"""Reduce a failing repro to a minimal one."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
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
    from collections.abc import Sequence

    from jace_repro.campaign.report import EntryReport
    from jace_repro.cli.output import Output
    from jace_repro.tester import Verdict

ORDER = 50


@click.command("reduce")
@click.argument("path", type=click.Path(path_type=Path), metavar="REPRO.py|DIR|REPORT.json")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Where to write the minimal repro, a file or a directory that is there [default: REPRO.min.py], or those "
    "of a directory or a report [default: minimal, in the directory].",
)
@click.option(
    "--signature", metavar="S", help="Keep this failure, when the repro, or the report, shows several."
)
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
    help="Candidates to test at most [default: 200, with --as-written 400].",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Test no further candidates after that; the best so far is the minimal repro.",
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
    seconds: float | None,
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
    smallest is reduced. So it is with the repros of a report (--json) that shows several findings; --signature
    chooses one of them.

    \b
    jace-repro reduce entries/step.py -o minimal.py
    jace-repro reduce calltrees/step.py --as-written
    jace-repro reduce recording
    jace-repro reduce recording/report.json --signature 41002611
    jace-repro reduce --inputs all entries/step.py
    jace-repro reduce big.py --seconds 600 --max-calls 1000
    jace-repro reduce big.py --predicate 'python still_wrong.py'
    """
    from jace_repro.campaign.files import repro_files, without
    from jace_repro.campaign.reduce import NothingToReduceError, reduce_file
    from jace_repro.campaign.report import EntryReport
    from jace_repro.campaign.run import MINIMAL
    from jace_repro.campaign.text import result_line, summary_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    terminal = output.terminal
    warn_about_machine(terminal)
    named = _of_report(path, signature) if path.suffix == ".json" else None
    shown = [e.repro_of(v) or path for e, v in named or ()]
    if named is not None and len(set(shown)) == 1:
        ((entry, verdict), *_) = named
        path = entry.call_tree if as_written and entry.call_tree is not None else shown[0]
        signature = verdict.signature
        settings = replace(settings, pipelines=settings.pipelines or (verdict.pipeline,))
    elif named is not None or path.is_dir():
        if as_written or any(x is not None for x in (signature, predicate, max_calls, seconds, history)):
            raise click.UsageError(
                "--signature, --predicate, --max-calls, --seconds, --as-written and --history go with one repro, "
                "not with several (of a report, --signature chooses a finding)"
            )
        folder = out or (path if named is None else path.parent) / MINIMAL
        files = without(repro_files(path), folder) if named is None else shown
        _reduce_several(path, files, folder, settings, output)
    if settings.inputs != 0 and (as_written or predicate is not None):
        raise click.UsageError(
            "--inputs goes with neither --as-written nor --predicate: these take a repro as it is "
            "(check --inputs writes one of a finding on generated inputs)"
        )
    repro = read_repro(path)
    minimal = path.with_suffix(".min.py")
    try:
        result = reduce_file(
            path,
            repro,
            minimal if out is None else out / minimal.name if out.is_dir() else out,
            settings,
            observing(terminal),
            signature=signature,
            max_calls=max_calls,
            seconds=math.inf if seconds is None else seconds,
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


def _of_report(report: Path, signature: str | None) -> Sequence[tuple[EntryReport, Verdict]]:
    """What fails in a report, or of what has a signature the smallest; some. Raises click.UsageError."""
    from jace_repro.campaign.stored import StoredError, read

    try:
        stored = read(report).report
    except (OSError, StoredError) as error:
        raise click.UsageError(str(error)) from error
    found = [(e, v) for e in stored.entries for v in e.failures if e.repro_of(v) is not None]
    shown = ", ".join(dict.fromkeys(str(v.signature) for _, v in found))
    if signature is not None:
        found = [(e, v) for e, v in found if (v.signature or "").startswith(signature)]
    if not found:
        wanted = "finding" if signature is None else f"finding {signature}"
        raise click.UsageError(f"{report}: no {wanted} in it" + (f"; it has {shown}" if shown else ""))
    return found if signature is None else [min(found, key=lambda pair: pair[0].entry.equations)]


def _reduce_several(
    path: Path, files: Sequence[Path], out: Path, settings: Settings, output: Output
) -> NoReturn:
    """Reduce what fails of the repros that a user names by `path`."""
    from jace_repro.campaign.files import load_repros
    from jace_repro.campaign.reduce import reduce_files
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing

    loaded = load_repros(files)
    if not loaded.repros and not loaded.errors:
        raise click.UsageError(f"{path}: no repro file in it, nor below it")
    terminal = output.terminal
    result = reduce_files(loaded, out, settings, observing(terminal), base=output.base)
    terminal.show(*summary_lines(result))
    finish(result, output)
