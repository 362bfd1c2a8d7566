"""Say what works on this machine: versions, compiler, hooks, cache."""

from __future__ import annotations

import difflib
import fnmatch
from typing import TYPE_CHECKING, Any

import click

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options

if TYPE_CHECKING:
    from rich.table import Table

    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import Output
    from jace_repro.cli.terminal import Terminal
    from jace_repro.doctor import Finding

ORDER = 60
_MARKS = {"ok": ("ok", "green"), "warning": ("WARNING", "yellow"), "failed": ("FAILED", "red")}


@click.command("doctor")
@click.argument("names", nargs=-1, metavar="[PRIMITIVE]...")
@click.option(
    "--primitives",
    is_flag=True,
    help="Instead, list JAX's primitives and what jace makes of each; PRIMITIVE, a name or a pattern, selects some.",
)
@click.option("--missing", is_flag=True, help="With --primitives: only those that are not translated.")
@click.option("--markdown", is_flag=True, help="With --primitives: as Markdown, as it is when piped.")
@common_options
def command(
    names: tuple[str, ...],
    primitives: bool,
    missing: bool,
    markdown: bool,
    settings: Settings,
    output: Output,
) -> None:
    """Say what works on this machine, and how to mend what does not.

    Checks Python, JAX and DaCe, that this jaxlib computes correctly, that a C++ compiler is there and runs a
    small program end to end, that the JAX internals which recording needs exist, and that the cache can be
    written. Exits 0 when everything that is needed works, else 2.

    With --primitives, a row for each primitive of this JAX: how jace translates it, for which dtypes (a small
    program for each is translated, which takes 20 seconds for all), how many of JAX's own test harnesses agree
    with XLA on either pipeline, or the reason why it is not translated. Exits 0.
    """
    from jace_repro.cli.output import finish

    if primitives:
        finish(_primitives(names, missing, markdown, output.terminal), output)
    if names or missing or markdown:
        raise click.UsageError("PRIMITIVE, --missing and --markdown need --primitives")
    finish(_checks(output.terminal), output)


def _checks(terminal: Terminal) -> Report:
    from jace_repro.campaign.report import Report
    from jace_repro.doctor import diagnose

    findings = diagnose()
    for finding in findings:
        mark, style = _MARKS[finding.status]
        terminal.line(f"{mark:8} {finding.name:10} {finding.detail}", style=None if mark == "ok" else style)
        if finding.remedy is not None:
            terminal.line(f"{'':8} {'':10} -> {finding.remedy}")
    failed = [f for f in findings if f.status == "failed"]
    if failed:
        terminal.line(f"{len(failed)} of {len(findings)} checks failed: {', '.join(f.name for f in failed)}")
    else:
        terminal.line("jace-repro works here." if all(f.status == "ok" for f in findings) else _WITH_WARNINGS)
    return Report(
        command="doctor",
        errors=tuple(f"{f.name}: {f.detail}" for f in failed),
        extra={"checks": [_as_json(f) for f in findings]},
    )


_WITH_WARNINGS = "jace-repro works here, with the warnings above."


def _as_json(finding: Finding) -> dict[str, str | None]:
    return {
        "name": finding.name,
        "status": finding.status,
        "detail": finding.detail,
        "remedy": finding.remedy,
    }


def _primitives(names: tuple[str, ...], missing: bool, markdown: bool, terminal: Terminal) -> Report:
    from jace_repro import survey
    from jace_repro.campaign.report import Report

    chosen = _selected(names, tuple(survey.all_primitives()))
    rows = []
    with terminal.progress("translating", len(chosen)) as job:
        for row in survey.coverage(chosen):
            rows.append(row)
            job.done()
    harness = survey.load_harness()
    shown = [row for row in rows if not (missing and row.translated)]
    if terminal.out.is_terminal and not markdown:
        terminal.out.print(_table(survey.HEADINGS, [survey.cells(row, harness) for row in shown]))
    else:
        terminal.line(survey.markdown_table(shown, harness))
    terminal.line()
    terminal.line(", ".join(f"{number} {kind}" for kind, number in survey.totals(rows)))
    terminal.line(survey.summary(rows))
    return Report(
        command="doctor",
        extra={"primitives": survey.as_json(shown, harness), "totals": dict(survey.totals(rows))},
    )


def _selected(patterns: tuple[str, ...], known: tuple[str, ...]) -> list[str]:
    """The primitives that match; all without patterns. Raises click.UsageError for a pattern without a match."""
    if not patterns:
        return list(known)
    chosen: list[str] = []
    for pattern in patterns:
        found = fnmatch.filter(known, pattern)
        if not found:
            near = difflib.get_close_matches(pattern, known)
            hint = f"; do you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"this JAX has no primitive '{pattern}'{hint}")
        chosen += found
    return chosen


def _table(headings: Any, rows: Any) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
