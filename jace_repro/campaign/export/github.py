"""Annotations of a GitHub workflow: lines that its runner reads from the output and shows beside the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jace_repro.campaign.export.places import failures, place_of, sentences, troubles
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.tester.verdict.verdict import Verdict

#: What the runner would take for the end of a message, or of a property.
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def as_annotations(report: Report) -> Iterator[str]:
    """A line for each distinct finding, and for each failure of the harness or the program."""
    for group in report.groups:
        yield _of_verdict("error", group.entry, group.verdict)
    for entry, verdict in failures(report):
        yield _of_verdict("warning", entry, verdict)
    for text in troubles(report):
        yield _line("error", {"title": f"jace-repro {report.command}"}, text)


def _of_verdict(level: str, entry: EntryReport, verdict: Verdict) -> str:
    place = place_of(entry, verdict)
    where = {} if place is None else {"file": place.file, "line": str(place.line)}
    title = {"title": f"jace-repro: {verdict.outcome} on {verdict.pipeline}"}
    return _line(level, where | title, "\n".join(sentences(entry, verdict)))


def _line(level: str, properties: Mapping[str, str], message: str) -> str:
    listed = ",".join(f"{name}={value.translate(_IN_PROPERTY)}" for name, value in properties.items())
    return f"::{level} {listed}::{message.translate(_IN_MESSAGE)}"
