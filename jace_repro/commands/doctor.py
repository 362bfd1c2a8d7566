"""``jace-repro doctor``."""

from __future__ import annotations

import click

from jace_repro import report
from jace_repro.commands.common import Settings, Terminal, common_options, finish
from jace_repro.doctor import Finding, diagnose

_MARKS = {"ok": ("ok", "green"), "warning": ("WARNING", "yellow"), "failed": ("FAILED", "red")}


@click.command("doctor")
@common_options
def command(settings: Settings) -> None:
    """Say what works on this machine, and how to mend what does not.

    Checks Python, JAX and DaCe, that this jaxlib computes correctly, that a C++ compiler is there and runs a
    small program end to end, that the JAX internals which recording needs exist, and that the cache can be
    written. Exits 0 when everything that is needed works, else 2.
    """
    terminal = Terminal(verbose=settings.verbose)
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
    result = report.Report(
        command="doctor",
        errors=tuple(f"{f.name}: {f.detail}" for f in failed),
        extra={"checks": [_as_json(f) for f in findings]},
    )
    finish(result, settings, terminal)


_WITH_WARNINGS = "jace-repro works here, with the warnings above."


def _as_json(finding: Finding) -> dict[str, str | None]:
    return {
        "name": finding.name,
        "status": finding.status,
        "detail": finding.detail,
        "remedy": finding.remedy,
    }
