"""JUnit XML: a test case for each entry and pipeline, as Jenkins, GitLab and others read it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import PurePath

from jace_repro.campaign.export.places import Place, place_of, sentences, troubles
from jace_repro.campaign.report import EntryReport, Report, versions
from jace_repro.corpus.states import KNOWN
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

#: The element of a test case that did not pass, by the kind of its outcome.
_ELEMENTS = {"finding": "failure", "harness": "error", "program": "error"}
#: What XML cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(report: Report) -> str:
    """The XML document."""
    suite = ET.Element("testsuite", name=f"jace-repro {report.command}")
    properties = ET.SubElement(suite, "properties")
    for name, version in versions().items():
        ET.SubElement(properties, "property", name=name, value=version)
    ET.SubElement(properties, "property", name="findings", value=str(len(report.groups)))
    for entry in report.entries:
        for verdict in entry.verdicts:
            _case(suite, entry, verdict)
        if not entry.verdicts:
            _untested(suite, entry)
    for text in troubles(report):
        case = ET.SubElement(suite, "testcase", classname="jace-repro", name=report.command)
        ET.SubElement(case, "error", message=_clean(text))
    counted = {"tests": "testcase", "failures": "*/failure", "errors": "*/error", "skipped": "*/skipped"}
    counts = {name: str(len(suite.findall(path))) for name, path in counted.items()}
    seconds = sum(sum(v.seconds.values()) for e in report.entries for v in e.verdicts)
    suite.attrib.update(counts, time=f"{seconds:.3f}")
    suites = ET.Element("testsuites", name="jace-repro")
    suites.append(suite)
    ET.indent(suites, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _case(suite: ET.Element, entry: EntryReport, verdict: Verdict) -> None:
    place = place_of(entry, verdict)
    case = ET.SubElement(
        suite,
        "testcase",
        classname=_class_name(place),
        name=_clean(f"{entry.name} [{verdict.pipeline}]"),
        time=f"{sum(verdict.seconds.values()):.3f}",
    )
    if place is not None:
        case.attrib.update(file=_clean(place.file), line=str(place.line))
    element = None if entry.replayed in KNOWN else _ELEMENTS.get(OUTCOMES[verdict.outcome].kind)
    text = _clean("\n".join(sentences(entry, verdict)))
    if element is not None:
        ET.SubElement(case, element, type=verdict.outcome, message=text.splitlines()[0]).text = text
    elif verdict.outcome != "ok":
        ET.SubElement(case, "system-out").text = text


def _untested(suite: ET.Element, entry: EntryReport) -> None:
    case = ET.SubElement(suite, "testcase", classname="jace-repro", name=_clean(entry.name))
    ET.SubElement(case, "skipped", message=_clean(entry.error or "not tested"))


def _class_name(place: Place | None) -> str:
    """A file as a dotted name, which readers of JUnit take for package and class."""
    if place is None:
        return "jace-repro"
    return ".".join(
        part for part in PurePath(place.file).with_suffix("").parts if part not in ("/", ".", "..")
    )


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("?", text)
