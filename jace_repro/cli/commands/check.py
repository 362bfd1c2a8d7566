"""Test repro files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import (
    selection_options,
    testing_options,
)

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 30


@click.command("check")
@click.argument("repros", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="REPRO.py|DIR...")
@click.option(
    "--versions",
    "pinned",
    metavar="jax==A,jax==B",
    help="Test in one environment per release instead of in this one, and name the first bad one. Also dace, numpy, "
    "scipy and python; those of one environment with a + between: jax==0.12.0.1+python==3.13. The environments are "
    "made from the package registry and kept in the cache; Python is looked for on the PATH, among pyenv's and uv's.",
)
@click.option(
    "--last-failed",
    is_flag=True,
    help="Of a directory only the repros that failed when they were tested last, by `check` or `run`.",
)
@selection_options
@testing_options
def command(
    repros: tuple[Path, ...], pinned: str | None, last_failed: bool, settings: Settings, output: Output
) -> None:
    """Test repro files: run each under plain JAX and through DaCe, and compare.

    Of a directory all repro files below it are tested (of a recording's entries not the call trees, which are
    the same programs). Without --pipeline, a repro that was made for one is tested on that one. When its header
    expects an outcome, the result says whether it still shows. What crashes is run once more in a sanitized
    build, which tells where.

    \b
    jace-repro check minimal/step-mismatch-3fa9c1d2.py
    jace-repro check --jobs 2 --pipeline canonical/simplify recording
    jace-repro check --versions jax==0.10.1,jax==0.10.2 repro.py
    jace-repro check --versions python==3.11,python==3.12+jax==0.11.2 repro.py
    jace-repro check --sanitize recording/entries
    jace-repro check --inputs all --report bug.md repro.py
    jace-repro check --last-failed recording
    """
    from jace_repro.campaign.check import check_files
    from jace_repro.campaign.last_check import remember
    from jace_repro.campaign.report import Report
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    terminal = output.terminal
    directories = [path for path in repros if path.is_dir()]
    if last_failed:
        repros = _failed_last(repros, directories)
        if not repros:
            terminal.line(f"Nothing of {', '.join(map(str, directories))} failed when it was tested last.")
            finish(Report("check"), output)
    if pinned is not None:
        _check_releases(repros, pinned, settings, output)
        return
    warn_about_machine(terminal)
    result = check_files(repros, settings, observing(terminal))
    for directory in directories:
        try:
            remember(directory, result.entries)
        except OSError as error:
            terminal.warn(f"--last-failed will not know of this test of {directory}: {error}")
    terminal.show(*summary_lines(result))
    finish(result, output)


def _failed_last(paths: tuple[Path, ...], directories: list[Path]) -> tuple[Path, ...]:
    """What --last-failed stands for. Raises click.UsageError where nothing is known."""
    from jace_repro.campaign.last_check import last_failed

    if len(directories) < len(paths):
        raise click.UsageError("--last-failed goes with directories, not with files")
    found = {directory: last_failed(directory) for directory in directories}
    for directory, failed in found.items():
        if failed is None:
            raise click.UsageError(f"--last-failed: nothing in {directory} has been tested yet")
    return tuple(path for failed in found.values() for path in failed or ())


def _check_releases(repros: tuple[Path, ...], pinned: str, settings: Settings, output: Output) -> None:
    """Test in one environment per release."""
    from jace_repro.campaign import releases
    from jace_repro.campaign.check import check_releases
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing

    if settings.inputs != 0 or output.bug_report is not None or settings.max_findings is not None:
        raise click.UsageError(
            "--versions goes neither with --inputs nor with --report nor with --max-findings"
        )
    try:
        wanted = releases.parse(pinned)
    except releases.ReleaseError as error:
        raise click.UsageError(str(error)) from error
    terminal = output.terminal
    result = check_releases(repros, wanted, settings, observing(terminal))
    terminal.show(*summary_lines(result))
    bad = result.extra["first_bad_version"]
    terminal.line(f"The first bad version is {bad}." if bad else "No version is bad.")
    finish(result, output)
