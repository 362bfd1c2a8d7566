"""A machine report is read back as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jace_repro.campaign.report import EntryReport, ReducedReport, Report, write
from jace_repro.campaign.stored import StoredError, read
from jace_repro.reducer import Improvement
from jace_repro.repro.entry import Entry
from jace_repro.tester import Crash, Culprit, Evidence, Verdict

WRONG = Verdict(
    "fused",
    "mismatch",
    "0123456789ab",
    "output 0[3]: got 1, expected 2",
    max_abs=float("inf"),
    max_ulp=3.0,
    seconds={"xla": 0.25},
    guilty=Culprit(primitive="sub", equation="c = sub a b", source="<repro step>:30 (repro)"),
    who="jace rule",
    evidence=[Evidence("DaCe, -O0", agrees_with_dace=True, max_ulp=0.0)],
    exact=True,
    inputs="ties",
)
CRASH = Verdict("canonical", "crash", "ffffffffffff", crash=Crash(signal="SIGSEGV"))


def test_everything_comes_back(tmp_path: Path) -> None:
    entry = EntryReport(
        Entry("step", source="train.py:12", equations=7, primitives={"sub": 3}),
        repro=tmp_path / "entries/step.py",
        self_check="exact",
        verdicts=(WRONG, CRASH),
        localized={"primitive": "sub", "pass": None},
        reduced=ReducedReport(
            tmp_path / "minimal/step.py",
            1,
            4,
            12,
            1.5,
            "budget",
            (Improvement(3, 1, 4, "drop outputs"),),
            refused=5,
        ),
        status="completed",
        calls=3,
        repros=(tmp_path / "entries/step.py",),
        with_inputs={"ties": tmp_path / "entries/step.ties.py"},
    )
    program = {"command": "python train.py", "exit_code": 0, "error": None}
    first, again = tmp_path / "report.json", tmp_path / "again.json"
    write(Report("run", (entry, EntryReport(Entry("other"))), program, ("oh",)), first)
    found = read(first)
    write(found.report, again)
    assert json.loads(again.read_text()) == json.loads(first.read_text())
    assert found.report.groups[0].entry.reduced.repro == tmp_path / "minimal/step.py"
    assert found.versions["dace"]


def test_an_older_report_is_read_and_a_newer_one(tmp_path: Path) -> None:
    verdict = {"pipeline": "fused", "outcome": "mismatch", "signature": "abc", "detail": "", "max_abs": None}
    verdict |= {"max_rel": None, "max_ulp": None, "difference": None, "seconds": {}, "colour": "red"}
    reduced = {"repro": "m.py", "equations": 1, "elements": 1, "oracle_calls": 1, "seconds": 1}
    entry = {"name": "f", "source": "a.py:1", "equations": 1, "verdicts": [verdict], "reduced": reduced}
    (tmp_path / "report.json").write_text(json.dumps({"schema": 1, "command": "run", "entries": [entry]}))
    (group,) = read(tmp_path / "report.json").report.groups
    assert group.entry.reduced is not None
    assert group.entry.reduced.steps == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "no machine report"),
        ('{"schema": 2}', "schema 2"),
        ('{"schema": 1, "command": "run", "entries": [{}]}', "KeyError"),
        (
            '{"schema": 1, "command": "run", "entries": [{"name": "f", "verdicts": [{"outcome": "sad"}]}]}',
            "unknown outcome 'sad'",
        ),
    ],
)
def test_what_is_no_report_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(StoredError, match=said):
        read(tmp_path / "report.json")
