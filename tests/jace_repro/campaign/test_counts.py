"""How many findings there are is said once: summary, list, page and the other forms of a report count alike."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

from jace_repro import page
from jace_repro.campaign.export import as_annotations, as_junit, as_sarif
from jace_repro.campaign.report import EntryReport, Report, write
from jace_repro.campaign.stored import read
from jace_repro.campaign.text import summary_lines
from jace_repro.repro.entry import Entry
from jace_repro.tester.verdict.verdict import Verdict

BAD = Verdict("fused", "mismatch", signature="0123456789ab", detail="output 0[3]: got 1, expected 2")
BOTH = (BAD, replace(BAD, pipeline="canonical"))


def test_everything_counts_alike(tmp_path: Path) -> None:
    """Two bugs in three of five entries, five failed verdicts; one entry was not tested."""
    other = replace(BAD, signature="ffffffffffff")
    entries = (
        EntryReport(Entry("a"), verdicts=BOTH),
        EntryReport(Entry("b"), verdicts=BOTH),
        EntryReport(Entry("c"), verdicts=(other, Verdict("canonical", "ok"))),
        EntryReport(Entry("d"), verdicts=(Verdict("fused", "ok"), Verdict("canonical", "ok"))),
        EntryReport(Entry("e")),
    )
    report = Report("run", entries)
    lines = [line.text for line in summary_lines(report)]
    assert sum(line.startswith("Finding ") for line in lines) == 2
    assert "2 findings in 4 tested entries." in lines

    write(report, tmp_path / "report.json")
    data = json.loads((tmp_path / "report.json").read_text())
    assert len(data["findings"]) == data["summary"]["findings"] == len(data["summary"]["signatures"]) == 2
    assert data["summary"]["failed_verdicts"] == data["summary"]["outcomes"]["mismatch"] == 5
    assert (data["summary"]["entries"], data["summary"]["tested"]) == (5, 4)

    page.write(read(tmp_path / "report.json"), tmp_path, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "2 findings in 4 tested entries" in text
    assert text.count('<details class="finding"') == 2

    assert len(json.loads(as_sarif(report))["runs"][0]["results"]) == 2
    assert sum(line.startswith("::error") for line in as_annotations(report)) == 2
    (suite,) = ET.fromstring(as_junit(report))
    (counted,) = [p.attrib["value"] for p in suite.iter("property") if p.attrib["name"] == "findings"]
    assert counted == "2"
    assert suite.attrib["failures"] == "5", "JUnit knows test cases: an entry on a pipeline"
