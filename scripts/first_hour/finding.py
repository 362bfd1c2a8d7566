"""Points 1, 5 and 8: what a finding prints reproduces, the page, the bug report."""

from __future__ import annotations

import re
from pathlib import Path

from first_hour.place import Place, holds
from first_hour.rows import row


def _minimal(folder: Path) -> Path:
    (found,) = (folder / "minimal").glob("*-mismatch-*.py")
    return found


@row(1, run="wave")
def run_finds_what_the_readme_shows(place: Place) -> None:
    """The README's program: the finding, its equation and its pass."""
    said = (place.copy("wave") / "said.txt").read_text()
    place.typed = "jace-repro run --pipeline canonical/auto-optimize wave_equation.py"
    for text in ("1 finding in", "  guilty    scan at", "  pass      auto-optimize/FullMapFusion"):
        holds(text in said, f"it does not say {text!r}")


@row(1, run="wave")
def minimal_repro_says_both_values(place: Place) -> None:
    """`python MINIMAL` runs under plain JAX and says what it should print, and what DaCe gives."""
    repro = _minimal(place.copy("wave"))
    place.python(repro.relative_to(place.folder)).says("expected", "got")


@row(1, run="wave")
def minimal_repro_shows_it_again(place: Place) -> None:
    """`jace-repro check MINIMAL`, without an option, shows the finding again."""
    repro = _minimal(place.copy("wave"))
    place.jace_repro("check", repro.relative_to(place.folder), code=1).says("as its header expects: mismatch")


@row(1, run="wave")
def a_finding_is_kept(place: Place) -> None:
    """`corpus add`, `accept`, `run`: a finding stays, with its bug report, as a script and as a test of pytest's."""
    place.copy("wave")
    place.jace_repro("corpus", "add", "wave").says("added     dace/", "Pending until they are tested")
    place.jace_repro("corpus", "accept").says("accepted  dace/")
    place.jace_repro("corpus", "run").says("1 entry replayed: 1 as expected.")
    (repro,) = place.folder.glob("corpus/repros/dace/*.py")
    holds(repro.with_suffix(".md").is_file(), "there is no bug report")
    place.python(repro.relative_to(place.folder)).says("expected", "got")
    place.file("pytest.ini", "[pytest]\njace_corpus = corpus\n")
    place.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "corpus").says("1 xfailed")


@row(8, run="wave")
def both_sides_of_the_bisection(place: Place) -> None:
    """The last good step is right, the first bad one is wrong."""
    folder = place.copy("wave")
    located = place.report("wave/report.json")["entries"]
    (found,) = [entry["localized"] for entry in located if entry["localized"]]
    repro = _minimal(folder).relative_to(place.folder)
    for side, code in ((found["good"], 0), (found["stop"], 1)):
        place.jace_repro("check", repro, code=code, JACE_STOP_AFTER=side.partition("@")[2])


@row(8, run="wave")
def bug_report_has_what_its_reader_asks(place: Place) -> None:
    """`--report`: minimal script, both values, the pass by its full name, the SDFG before and after."""
    text = (place.copy("wave") / "bug.md").read_text()
    place.typed = "jace-repro run --report bug.md wave_equation.py"
    for part in (
        "expected",
        "def repro",
        "auto-optimize/FullMapFusion",
        "last good step",
        "before.sdfg",
        "after.sdfg",
    ):
        holds(part in text, f"the bug report lacks {part!r}")


@row(5, run="wave")
def page_is_one_file_without_a_network(place: Place) -> None:
    """`run` names the page in its last lines; it asks for nothing but itself."""
    folder = place.copy("wave")
    place.typed = "jace-repro run wave_equation.py"
    said = (folder / "said.txt").read_text()
    holds("Page: wave/report.html" in said, "the page is not named")
    text = (folder / "report.html").read_text()
    asked = re.findall(
        r'<(?:script|img|iframe)[^>]* src="(?!data:)[^"]*"|<link[^>]* href="(?!data:)[^"]*"', text
    )
    holds(not asked and "@import" not in text and "fetch(" not in text, f"it asks for {asked[:2]}")
    holds('<details class="finding"' in text, "it has no finding")


@row(5, run="wave")
def page_is_written_again(place: Place) -> None:
    """`jace-repro report DIR` writes it from what the run has left."""
    folder = place.copy("wave")
    (folder / "report.html").unlink()
    place.jace_repro("report", "wave").says("Page: wave/report.html")
    holds((folder / "report.html").exists(), "there is no page")


@row(1, run="ruled")
def users_rule_is_named(place: Place) -> None:
    """A rule of the user's is to blame by its file and line, and its copy lies beside the repro."""
    folder = place.copy("ruled")
    place.typed = "jace-repro run --rules rules.py step.py"
    holds("rules.py:3 (floor)" in (folder / "said.txt").read_text(), "the rule is not named")
    place.jace_repro("check", _minimal(folder).relative_to(place.folder), code=1).says(".py:3 (floor)")


@row(6, run="ruled")
def everything_counts_alike(place: Place) -> None:
    """Text, report.json, JUnit and SARIF of one run have the same number of findings."""
    folder = place.copy("ruled")
    place.typed = "jace-repro run --json found.json --junit junit.xml --sarif found.sarif step.py"
    found, sarif = place.report("ruled/found.json"), place.report("ruled/found.sarif")
    counts = {
        "text": (folder / "said.txt").read_text().count("\nFinding "),
        "summary": found["summary"]["findings"],
        "list": len(found["findings"]),
        "page": (folder / "report.html").read_text().count('<details class="finding"'),
        "sarif": len(sarif["runs"][0]["results"]),
        "junit": (folder / "junit.xml").read_text().count("<failure "),
    }
    holds(set(counts.values()) == {1}, f"{counts}")
