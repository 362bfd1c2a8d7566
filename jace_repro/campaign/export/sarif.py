"""SARIF 2.1.0: a result for each distinct finding, with all places that show it, for code scanning."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jace_repro.campaign.export.places import Place, failures, place_of, sentences, troubles
from jace_repro.campaign.report import EntryReport, Group, Report, versions
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"finding": "error", "harness": "warning", "program": "warning", "fine": "note"}


def as_sarif(report: Report) -> str:
    """The JSON document."""
    rules = [name for name, outcome in OUTCOMES.items() if outcome.kind != "fine"]
    alone = [Group(verdict, entry, (entry,)) for entry, verdict in failures(report)]
    run = {
        "tool": {
            "driver": {
                "name": "jace-repro",
                "version": metadata.version("jace-repro"),
                "rules": [_rule(name) for name in rules],
                "properties": {"versions": versions()},
            }
        },
        "invocations": [
            {
                "executionSuccessful": not report.errors and not report.interrupted,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": text}} for text in troubles(report)
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(group, rules) for group in (*report.groups, *alone)],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str) -> dict[str, Any]:
    outcome = OUTCOMES[name]
    return {
        "id": name,
        "shortDescription": {"text": outcome.meaning},
        "help": {"text": outcome.advice},
        "defaultConfiguration": {"level": _LEVELS[outcome.kind]},
    }


def _result(group: Group, rules: list[str]) -> dict[str, Any]:
    verdict = group.verdict
    shown = [(entry, _same(entry, verdict)) for entry in (group.entry, *group.entries)]
    places = dict.fromkeys(filter(None, (place_of(entry, found) for entry, found in shown)))
    result = {
        "ruleId": verdict.outcome,
        "ruleIndex": rules.index(verdict.outcome),
        "level": _LEVELS[OUTCOMES[verdict.outcome].kind],
        "message": {"text": "\n".join(sentences(group.entry, verdict))},
        "locations": [_location(place) for place in places][:1],
        "relatedLocations": [_location(place) for place in places][1:],
        "properties": {"pipeline": verdict.pipeline, "entries": [entry.name for entry in group.entries]},
    }
    if verdict.signature is not None:
        result["partialFingerprints"] = {"signature/v1": verdict.signature}
    return result


def _same(entry: EntryReport, verdict: Verdict) -> Verdict:
    """The verdict of an entry that is this finding."""
    return next(v for v in entry.verdicts if (v.signature, v.outcome) == (verdict.signature, verdict.outcome))


def _location(place: Place) -> dict[str, Any]:
    path = Path(place.file)
    where = {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(path.as_posix())}
    return {"physicalLocation": {"artifactLocation": where, "region": {"startLine": place.line}}}
