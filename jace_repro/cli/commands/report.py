"""Write a page that shows a report: what was found, and the programs behind it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign import exit_codes
from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options, rules_option

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 55
#: The page, in the directory of a report.
PAGE = "report.html"


@click.command("report")
@click.argument("path", type=click.Path(exists=True, path_type=Path), metavar="DIR")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the page goes [default: DIR/report.html].",
)
@rules_option
@common_options
def command(path: Path, out: Path | None, settings: Settings, output: Output) -> None:
    """Write DIR, the directory of a `run`, as one HTML file that shows it: findings first, then all entries.

    The file needs nothing else: no server and no network. Of each finding it shows the minimal repro with expected
    and actual values, the program as jaxpr, SDFG and C++ side by side, where the outputs differ, the pass that breaks
    it, the reduction and the evidence. What the run has not kept is made in worker processes.

    The report of another command (--json FILE) may be given in place of DIR. Nothing is tested: the exit code is 0
    when the page was written.

    \b
    jace-repro report jace-repro-out/train
    jace-repro report found.json -o found.html
    """
    from jace_repro import page as pages
    from jace_repro.campaign.run import REPORT
    from jace_repro.campaign.stored import StoredError, read
    from jace_repro.campaign.views import make_missing
    from jace_repro.cli.output import observing, write_reports

    terminal = output.terminal
    source = path / REPORT if path.is_dir() else path
    page = out if out is not None else source.with_suffix(".html")
    try:
        known = read(source)
    except FileNotFoundError:
        raise click.UsageError(f"{path} has no {REPORT}: `jace-repro run` makes one") from None
    except (OSError, StoredError) as error:
        raise click.UsageError(str(error)) from error
    make_missing(known.report, source.parent, settings, observing(terminal))
    try:
        pages.write(known, source.parent, page)
    except OSError as error:
        terminal.warn(f"cannot write {page}: {error.strerror}")
        sys.exit(exit_codes.ERROR)
    write_reports(replace(known.report, command="report"), output)
    terminal.line(f"Page: {page}")
    sys.exit(exit_codes.NOTHING)
