"""The report: exit codes, JSON, groups of findings, and what a person reads of it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from jace_repro.campaign.report import EntryReport, ReducedReport, Report, write
from jace_repro.campaign.text import eager_line, summary_lines
from jace_repro.repro.entry import Entry
from jace_repro.tester.verdict.culprit import Crash
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

BAD = Verdict("fused", "mismatch", signature="0123456789ab", detail="output 0[3]: got 1, expected 2")
GOOD = Verdict("fused", "ok")


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report("run", (EntryReport(Entry("f"), verdicts=(GOOD,)),)), 0),
        (Report("run", (EntryReport(Entry("f"), verdicts=(GOOD, BAD)),)), 1),
        (Report("run", (EntryReport(Entry("f"), verdicts=(GOOD,)),), errors=("no repro",)), 2),
        (Report("run", (EntryReport(Entry("f"), verdicts=(Verdict("fused", "harness-error"),)),)), 2),
        (Report("run", (EntryReport(Entry("f"), verdicts=(GOOD,)),), {"exit_code": 1, "error": None}), 3),
        (Report("run", (EntryReport(Entry("f"), verdicts=(BAD,)),), {"exit_code": 1, "error": "x"}), 1),
        (Report("check", (EntryReport(Entry("f"), verdicts=(Verdict("fused", "reference-error"),)),)), 3),
        (Report("run", (EntryReport(Entry("f"), verdicts=(BAD,)),), interrupted=True), 130),
        (Report("run", (EntryReport(Entry("f"), verdicts=(Verdict("fused", "ill-conditioned"),)),)), 0),
    ],
)
def test_exit_codes(report, code):
    assert report.exit_code == code


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ([(GOOD,), (GOOD,)], "ok   2 eager operations"),
        ([(GOOD,), (BAD,)], "FAIL 1 of 2 eager operations, shown above"),
        (
            [(GOOD,), (GOOD, Verdict("canonical/gpu", "harness-error"))],
            "--   1 of 2 eager operations: harness-error",
        ),
        ([(GOOD,), ()], "--   1 of 2 eager operations: not tested"),
        ([], None),
    ],
)
def test_eager_operations_are_ok_where_all_of_them_are(verdicts, text):
    entries = [EntryReport(Entry("sin", eager=True), verdicts=found) for found in verdicts]
    line = eager_line([*entries, EntryReport(Entry("f"), verdicts=(BAD,))])
    assert (line and line.text) == text


def test_the_report_has_relative_paths_and_is_strict_json(tmp_path):
    entry = EntryReport(
        Entry("f"),
        repro=tmp_path / "out/entries/f.py",
        verdicts=(replace(BAD, max_abs=float("inf"), max_rel=float("nan"), max_ulp=3.0),),
        localized={"equation": "b = sub a a", "primitive": "sub", "pass": None},
        reduced=ReducedReport(tmp_path / "out/minimal/f.py", 1, 4, 12, 1.5),
    )
    write(Report("run", (entry,)), tmp_path / "out/sub/report.json")
    text = (tmp_path / "out/sub/report.json").read_text()
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    (found,) = data["entries"]
    assert found["repro"] == "../entries/f.py"
    assert found["reduced"]["repro"] == "../minimal/f.py"
    assert found["verdicts"][0]["max_abs"] == "inf"
    assert str(tmp_path) not in text
    assert data["summary"]["signatures"] == ["0123456789ab"]
    assert data["summary"]["outcomes"] == {"mismatch": 1}
    assert data["findings"] == [
        {
            "signature": "0123456789ab",
            "outcome": "mismatch",
            "who": None,
            "entries": ["f"],
            "repro": "../minimal/f.py",
        }
    ]


def test_findings_of_equal_signature_are_one_group():
    other = replace(BAD, signature="ffffffffffff")
    nameless = replace(BAD, outcome="timeout", signature=None)
    entries = (
        EntryReport(Entry("a"), verdicts=(BAD, replace(BAD, pipeline="canonical"))),
        EntryReport(Entry("b"), verdicts=(other, nameless)),
        EntryReport(Entry("c"), verdicts=(BAD, nameless), reduced=ReducedReport(Path("m.py"), 1, 4, 12, 1.5)),
    )
    groups = Report("run", entries).groups
    assert [[entry.name for entry in group.entries] for group in groups] == [["a", "c"], ["b"], ["b"], ["c"]]
    assert groups[0].entry.name == "c"  # it has the minimal repro


def test_the_summary_says_what_a_sanitized_build_of_the_minimal_repro_does_wrong():
    crash = Crash(kind="heap-buffer-overflow", access="read of 4 bytes", primitive="gather")
    wrong = ReducedReport(Path("m.py"), 1, 4, 12, 1.5, verdict=Verdict("fused", "crash", "ab", crash=crash))
    for verdict, told in ((BAD, True), (replace(BAD, outcome="crash", crash=crash), False)):
        entry = EntryReport(Entry("f"), verdicts=(verdict,), reduced=wrong)
        text = "\n".join(line.text for line in summary_lines(Report("run", (entry,))))
        said = "access    a sanitized build of it says: heap-buffer-overflow, read of 4 bytes" in text
        assert said == told


def test_the_summary_says_what_where_and_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = EntryReport(
        Entry("step", source="train.py:12"),
        verdicts=(GOOD, BAD),
        localized={
            "equation": "c = sub b a",
            "primitive": "sub",
            "pass": "simplify",
            "source": "train.py:14",
        },
        reduced=ReducedReport(tmp_path / "m.py", 1, 4, 12, 1.5),
    )
    other = EntryReport(Entry("step2"), verdicts=(BAD,))
    text = "\n".join(line.text for line in summary_lines(Report("run", (entry, other))))
    for part in ("train.py:12", "train.py:14", "sub", "simplify", "m.py", "jace-repro check m.py", "step2"):
        assert part in text
    assert text.count("Finding") == 1
    assert "1 finding in 2 tested entries" in text


@pytest.mark.parametrize(
    ("stopped", "refused", "said"),
    [
        ("fixpoint", 57, "no step makes it smaller: 57 refused)"),
        ("budget", None, "the search ended early (budget))"),
        ("fixpoint", None, "12 tests, 2 s)"),
    ],
)
def test_the_summary_says_whether_a_program_is_minimal(stopped, refused, said):
    reduced = ReducedReport(Path("m.py"), 1, 4, 12, 1.5, stopped, refused=refused)
    entry = EntryReport(Entry("step"), verdicts=(BAD,), reduced=reduced)
    text = "\n".join(line.text for line in summary_lines(Report("run", (entry,))))
    (line,) = (line for line in text.splitlines() if line.startswith("  minimal"))
    assert line.endswith(said)


def test_the_outcomes_all_have_advice():
    assert all(o.meaning.endswith(".") and o.advice.endswith(".") for o in OUTCOMES.values())
    assert os.environ["JACE_CACHE_DIR"]
