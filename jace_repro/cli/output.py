"""Where the results of a command go: a terminal, the machine report, bug reports; and its exit code."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO

from jace_repro import doctor
from jace_repro.campaign import bugreport, exit_codes, export, report, stored
from jace_repro.campaign.observer import Observer
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.run import REPORT
from jace_repro.campaign.text import describe_error, result_line
from jace_repro.cli.standard_output import STANDARD_OUTPUT
from jace_repro.cli.terminal import Terminal
from jace_repro.repro import write_file


@dataclass(frozen=True)
class Output:
    """Where results go.

    Attributes:
        terminal: shows them.
        json_path: the machine report is written there, if somewhere.
        bug_report: so are bug reports, each further one beside the first.
        junit, sarif: and the same report for other programs.
        github: whether findings are shown as annotations of a GitHub workflow.
        stdout: standard output, where one of these files is that (`-`).
    """

    terminal: Terminal
    json_path: Path | None = None
    bug_report: Path | None = None
    junit: Path | None = None
    sarif: Path | None = None
    github: bool = False
    stdout: TextIO | None = None

    @property
    def base(self) -> Path:
        """The directory that paths in the machine report are relative to."""
        return Path() if self.json_path is None else self.json_path.parent


def everything(entry: EntryReport) -> bool:
    """No entry is left out."""
    return True


def observing(terminal: Terminal, shown: Callable[[EntryReport], bool] = everything) -> Observer:
    """Shows what a campaign does: its progress, and a line for each tested entry that is to be `shown`."""

    def tested(entry: EntryReport, remark: str) -> None:
        if shown(entry):
            terminal.show(result_line(entry))
            if remark:
                terminal.line(f"{'':4} {remark}")

    return Observer(begins=terminal.note, progress=terminal.progress, tested=tested)


def warn_about_machine(terminal: Terminal) -> None:
    """Say once per command that this jaxlib miscompiles, when it does, and that the cache takes nothing."""
    for warning in (doctor.jaxlib_warning(), doctor.cache_warning()):
        if warning is not None:
            terminal.warn(warning)


def finish(result: Report, output: Output) -> NoReturn:
    """Write the reports that were asked for, and exit with the report's code."""
    terminal = output.terminal
    for line in export.as_annotations(result) if output.github else ():
        terminal.line(line)
    write_reports(result, output)
    sys.exit(result.exit_code)


def write_reports(result: Report, output: Output) -> None:
    """Write the report in the forms that were asked for. Exits with 2 when one of them cannot be written."""
    forms = (
        (output.junit, export.as_junit),
        (output.sarif, export.as_sarif),
        (output.json_path, lambda result: report.as_text(result, output.base)),
    )
    lost = output.bug_report is not None and not _bug_reports(result, output.bug_report, output.terminal)
    for path, text in forms:
        if path is None:
            continue
        try:
            _write(path, text(result), output)
        except OSError as error:
            output.terminal.warn(f"cannot write {path}: {error.strerror}")
            lost = True
    if lost:
        sys.exit(exit_codes.ERROR)


def _write(path: Path, text: str, output: Output) -> None:
    """Write one of them. Raises OSError."""
    if path == STANDARD_OUTPUT:
        assert output.stdout is not None
        output.stdout.write(text)
        output.stdout.flush()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode())


def import_page() -> None:
    """Have what writes the page imported meanwhile: nobody need wait for it at the end."""

    def preload() -> None:
        with contextlib.suppress(Exception):  # `write_page` says what is missing
            from jace_repro import page

            page.preload()

    threading.Thread(target=preload).start()


def write_page(directory: Path, terminal: Terminal) -> bool:
    """Write the page of a run, and name it; whether it is there. What was found stands without one."""
    from jace_repro import page

    path = directory / page.PAGE
    known = directory / REPORT
    return _page("Page", "page", path, lambda: page.write(stored.read(known), directory, path), terminal)


def write_reached_page(directory: Path, terminal: Terminal) -> bool:
    """Write the page of what a guided campaign has reached, and name it; whether it is there."""
    from jace_repro.campaign.fuzz import guidance
    from jace_repro.page import reached

    path = directory / reached.PAGE
    known = directory / guidance.REACHED
    what = "page of what was reached"
    return _page("Reached", what, path, lambda: reached.write(guidance.read(known), path), terminal)


def _page(label: str, what: str, path: Path, write: Callable[[], None], terminal: Terminal) -> bool:
    """Have a page written, and name it; whether it is there."""
    try:
        write()
    except Exception as error:  # the page's own failure: said, and no reason to lose the rest
        terminal.warn(f"no {what}: {describe_error(error, terminal.verbose)}")
        return False
    terminal.line(f"{label}: {path}")
    return True


def _bug_reports(result: Report, path: Path, terminal: Terminal) -> bool:
    """Write the bug reports, and name them; whether they are there."""
    try:
        written = bugreport.write(result, path)
    except OSError as error:
        terminal.warn(f"cannot write {path}: {error.strerror}")
        return False
    for one in written:
        terminal.line(f"Bug report: {one}")
    if not written:
        terminal.line(f"No finding, so no bug report in {path}.")
    return True
