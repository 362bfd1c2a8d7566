"""One report as JUnit XML, as SARIF and as annotations of GitHub's."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from jace_repro.campaign.export import as_annotations, as_junit, as_sarif
from jace_repro.campaign.export.places import place_of
from jace_repro.campaign.report import EntryReport, ReducedReport, Report
from jace_repro.repro.entry import Entry
from jace_repro.repro.file import Header, header_block
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.verdict import Verdict

WRONG = Verdict(
    "fused",
    "mismatch",
    "0123456789ab",
    "output 0[3]: got 1,\nexpected 100%: \x00 <b>",
    who="jace rule",
    seconds={"xla": 0.25, "run": 0.5},
    guilty=Culprit(source="model.py:31"),
)
ENTRY = EntryReport(
    Entry("step", source="src/model.py:21"),
    repro=Path("out/entries/step.py"),
    verdicts=(WRONG, Verdict("canonical", "ok")),
    reduced=ReducedReport(Path("out/minimal/step.py"), 1, 1, 1, 1.0),
)
OTHER = replace(ENTRY, entry=Entry("other", source="src/other.py:5"), verdicts=(replace(WRONG, guilty=None),))
BROKEN = EntryReport(Entry("broken", source="src/b,c.py:2"), verdicts=(Verdict("fused", "harness-error"),))
SHAKY = EntryReport(Entry("shaky"), verdicts=(Verdict("fused", "ill-conditioned"),))
PROGRAM = {"command": "python p.py", "exit_code": 1, "error": "ValueError: no"}
REPORT = Report("run", (ENTRY, OTHER, BROKEN, SHAKY, EntryReport(Entry("last"))), PROGRAM, ("no repro of x",))


def test_junit() -> None:
    suites = ET.fromstring(as_junit(REPORT))
    (suite,) = suites
    counts = {"tests": "8", "failures": "2", "errors": "3", "skipped": "1", "time": "1.500"}
    assert suite.attrib == {"name": "jace-repro run", **counts}
    assert {p.attrib["name"] for p in suite.iter("property")} >= {"jax", "dace", "python"}
    cases = suite.findall("testcase")
    assert all({"classname", "name"} <= case.attrib.keys() for case in cases)
    assert cases[0].attrib == {
        "classname": "src.model",
        "name": "step [fused]",
        "time": "0.750",
        "file": "src/model.py",
        "line": "31",
    }
    (failure,) = cases[0]
    assert failure.attrib["type"] == "mismatch"
    assert failure.attrib["message"] == "step: mismatch on fused: output 0[3]: got 1,"
    assert "expected 100%: ? <b>" in (failure.text or "")
    assert "jace-repro check out/minimal/step.py" in (failure.text or "")
    assert list(cases[1]) == []
    kinds = [[child.tag for child in case] for case in cases[3:]]
    assert kinds == [["error"], ["system-out"], ["skipped"], ["error"], ["error"]]
    assert ET.fromstring(as_junit(Report("check")))[0].attrib["tests"] == "0"


#: What SARIF 2.1.0 requires of each kind of object that is written here.
REQUIRED = {
    "log": {"version", "runs"},
    "run": {"tool"},
    "driver": {"name"},
    "rules": {"id"},
    "invocations": {"executionSuccessful"},
    "toolExecutionNotifications": {"message"},
    "results": {"message"},
    "message": {"text"},
    "region": {"startLine"},
}


def complete(name: str, value: object) -> None:
    """Every object, by the name that it has, has what is required."""
    if isinstance(value, list):
        for one in value:
            complete(name, one)
    elif isinstance(value, dict):
        assert REQUIRED.get(name, set()) <= value.keys(), name
        for key, inner in value.items():
            complete({"runs": "run"}.get(key, key), inner)


def test_sarif() -> None:
    log = json.loads(as_sarif(REPORT))
    complete("log", log)
    assert (log["version"], "sarif-2.1.0" in log["$schema"]) == ("2.1.0", True)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    found, broken = run["results"]
    assert rules[found["ruleIndex"]] == found["ruleId"] == "mismatch"
    assert (found["level"], broken["level"]) == ("error", "warning")
    assert found["partialFingerprints"] == {"signature/v1": "0123456789ab"}
    places = [
        (
            where["physicalLocation"]["artifactLocation"]["uri"],
            where["physicalLocation"]["region"]["startLine"],
        )
        for where in (*found["locations"], *found["relatedLocations"], *broken["locations"])
    ]
    assert places == [("src/model.py", 31), ("src/other.py", 5), ("src/b%2Cc.py", 2)]
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 1)
    assert len(invocation["toolExecutionNotifications"]) == 2


def test_annotations() -> None:
    lines = list(as_annotations(REPORT))
    assert len(lines) == 4
    assert lines[0].startswith(
        "::error file=src/model.py,line=31,title=jace-repro%3A mismatch on fused::step: mism"
    )
    assert "got 1,%0Aexpected 100%25: " in lines[0]
    assert lines[1].startswith(
        "::warning file=src/b%2Cc.py,line=2,title=jace-repro%3A harness-error on fused::"
    )
    assert lines[2] == "::error title=jace-repro run::no repro of x"
    assert lines[3] == "::error title=jace-repro run::python p.py: ValueError: no (exit code 1)"
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(
    ("source", "guilty", "place"),
    [
        ("src/model.py:21", None, ("src/model.py", 21)),
        ("src/model.py:21", "model.py:31 (loss)", ("src/model.py", 31)),
        ("src/model.py:21", "line 7 of the repro", ("src/model.py", 21)),
        ("src/model.py:21", "e0001_step.py:7", ("src/model.py", 21)),
        ("src/model.py:21", "here.py:7", ("here.py", 7)),
        ("{here}/src/model.py:21", None, ("src/model.py", 21)),
        ("step.py", None, ("lib/model.py", 4)),
        ("step.py", "model.py:9", ("lib/model.py", 9)),
        ("plain.py", None, ("plain.py", 1)),
    ],
)
def test_where_a_finding_is(source, guilty, place, tmp_path, monkeypatch) -> None:
    """The user's line; a repro says where its program comes from."""
    monkeypatch.chdir(tmp_path)
    Path("here.py").touch()
    Path("step.py").write_text(header_block(Header(origin="lib/model.py:4 (step)"), None))
    Path("plain.py").touch()
    entry = EntryReport(
        Entry("step", source=source.format(here=tmp_path)), repro=Path(source.partition(":")[0])
    )
    assert place_of(entry, replace(WRONG, guilty=Culprit(source=guilty) if guilty else None)) == place
