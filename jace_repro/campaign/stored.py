"""A machine report read back from the disk: the inverse of `report.write`.

What an older report lacks gets the value that it would have had; what a newer one has more is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from jace_repro.campaign.report import SCHEMA, EntryReport, ReducedReport, Report
from jace_repro.reducer import Improvement
from jace_repro.repro.entry import Entry
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

_OF_A_VERDICT = frozenset(field.name for field in fields(Verdict))


class StoredError(ValueError):
    """A file that is no machine report of a kind that is known here."""


@dataclass(frozen=True)
class Stored:
    """A report, and the versions that it was made with."""

    report: Report
    versions: Mapping[str, str]


def read(path: Path) -> Stored:
    """The report in a file; its paths are as they are seen from here.

    Raises:
        OSError: it cannot be read.
        StoredError: it is no machine report.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StoredError(f"{path} is not JSON: {error}") from error
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise StoredError(f"{path} is no machine report of schema {SCHEMA} (it has schema {schema})")
    try:
        return Stored(_report(data, path.parent), data.get("versions", {}))
    except (KeyError, TypeError, AttributeError) as error:
        raise StoredError(f"{path} is no machine report: {type(error).__name__}: {error}") from error


def _report(data: Mapping[str, Any], base: Path) -> Report:
    summary = data.get("summary", {})
    return Report(
        data["command"],
        tuple(entry_of(entry, base) for entry in data["entries"]),
        summary.get("program"),
        tuple(summary.get("errors", ())),
        summary.get("interrupted", False),
        stopped=summary.get("stopped", False),
        left_out=summary.get("left_out", 0),
        notes=tuple(summary.get("notes", ())),
    )


def entry_of(data: Mapping[str, Any], base: Path) -> EntryReport:
    """An entry as `EntryReport.to_json` wrote it for a report in the directory `base`. Raises KeyError and the like."""
    known = Entry(
        data["name"],
        source=data.get("source", ""),
        equations=data.get("equations", 0),
        primitives=data.get("primitives", {}),
        eager=data.get("eager", False),
    )
    return EntryReport(
        known,
        repro=_path(data.get("repro"), base),
        self_check=data.get("self_check"),
        self_check_error=data.get("self_check_error"),
        verdicts=tuple(_verdict(verdict) for verdict in data.get("verdicts", ())),
        localized=data.get("localized"),
        reduced=_reduced(data["reduced"], base) if data.get("reduced") else None,
        status=data.get("status"),
        calls=data.get("calls", 1),
        error=data.get("error"),
        same_as=data.get("same_as"),
        call_tree=_path(data.get("call_tree"), base),
        call_tree_check=data.get("call_tree_check"),
        call_tree_error=data.get("call_tree_error"),
        repros=tuple(base / path for path in data.get("repros", ())),
        processes=tuple(data.get("processes", ())),
        tests=tuple(data.get("tests", ())),
        with_inputs={name: base / path for name, path in data.get("with_inputs", {}).items()},
        earlier=data.get("earlier", False),
        beside=data.get("beside"),
        looked_beside=data.get("looked_beside", False),
        met=tuple(base / path for path in data.get("met", ())),
        cut=data.get("cut", False),
        replayed=data.get("replayed"),
    )


def _verdict(data: Mapping[str, Any]) -> Verdict:
    if data["outcome"] not in OUTCOMES:
        raise StoredError(f"unknown outcome '{data['outcome']}': the report is of a newer jace-repro")
    return Verdict.from_json({name: value for name, value in data.items() if name in _OF_A_VERDICT})


def _reduced(data: Mapping[str, Any], base: Path) -> ReducedReport:
    steps = (
        Improvement(step["test"], step["equations"], step["elements"], step["pass"])
        for step in data.get("steps", ())
    )
    return ReducedReport(
        base / data["repro"],
        data["equations"],
        data["elements"],
        data["oracle_calls"],
        data["seconds"],
        data.get("stopped", "fixpoint"),
        tuple(steps),
        _verdict(data["verdict"]) if data.get("verdict") else None,
        data.get("earlier", False),
        data.get("refused"),
    )


def _path(text: str | None, base: Path) -> Path | None:
    return None if text is None else base / text
