"""From a report to the text of its page."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from jace_repro.campaign import bugreport
from jace_repro.campaign.report import Report
from jace_repro.campaign.stored import Stored
from jace_repro.campaign.views import VIEWS, FindingViews, stored
from jace_repro.page.entries import others, table
from jace_repro.page.finding import FindingPage
from jace_repro.repro import write_file
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.views import Views

_NOT_MADE = FindingViews(Views(problems=("the views of its repro were not made",)))


@cache
def environment_of_templates() -> Environment:
    """The templates of pages."""
    found = Environment(
        loader=PackageLoader("jace_repro.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(count=_count, thousands=_thousands, others=others)
    return found


def render(known: Stored, base: Path, out: Path) -> str:
    """The page.

    Args:
        known: the report.
        base: the directory that it lies in, with views/ beside it.
        out: the file that the page will be, which links are relative to.
    """
    report = known.report
    findings = [
        FindingPage(number, group, stored(group, base / VIEWS) or _NOT_MADE, base, out.parent)
        for number, group in enumerate(report.groups, 1)
    ]
    templates = environment_of_templates()
    return templates.get_template("page.html").render(
        report=report,
        findings=findings,
        title=_title(report, base),
        sentence=_sentence(report),
        entries=table(report, out.parent),
        kind=_kind,
        environment=_versions(known.versions),
        machine=f"{platform.system()} {platform.machine()}",
        style=inlined("page.css"),
        script=inlined("page.js"),
    )


def write(known: Stored, base: Path, out: Path) -> None:
    """Write the page. Raises OSError, and leaves an earlier one as it was then."""
    write_file(out, render(known, base, out).encode())


def inlined(name: str) -> Markup:
    """The text of a file of our own, to be inlined as it is."""
    loader = environment_of_templates().loader
    assert loader is not None
    return Markup(loader.get_source(environment_of_templates(), name)[0])


def _kind(outcome: str) -> str:
    """What the colour of an outcome says."""
    if outcome not in OUTCOMES:
        return "none"
    return "doubtful" if outcome == "ill-conditioned" else OUTCOMES[outcome].kind


def _title(report: Report, base: Path) -> str:
    command = (report.program or {}).get("command")
    return str(command) if command else base.resolve().name


def _sentence(report: Report) -> str:
    if report.command == "record":
        return _count(len(report.entries), "recorded entry", "recorded entries")
    found = len(report.groups)
    of = f"{_count(report.tested, 'tested entry', 'tested entries')}"
    said = f"{_count(found, 'finding', 'findings') if found else 'No findings'} in {of}"
    return f"Interrupted: {said[0].lower()}{said[1:]}" if report.interrupted else said


def _versions(recorded: Mapping[str, str]) -> dict[str, Any]:
    """The versions that the report was made with; compiler and machine are those of whoever writes the page."""
    here = bugreport.environment()
    return {
        "recorded": dict(recorded),
        "here": {name: here[name] for name in ("C++ compiler", "system", "processor")},
    }


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _thousands(number: float) -> str:
    return f"{number:,.0f}" if abs(number) < 1e15 else f"{number:.3g}"
