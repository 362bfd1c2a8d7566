"""The page is one file that says all that the report knows, and what is missing."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from drawn import needs_dot

from jace_repro.campaign.bugreport import bug_report
from jace_repro.campaign.report import EntryReport, ReducedReport, Report, write
from jace_repro.campaign.stored import read
from jace_repro.campaign.views import FindingViews
from jace_repro.page import finding, plots, render
from jace_repro.repro.entry import Entry
from jace_repro.tester import Verdict
from jace_repro.tester.numerics.differing import Differing, Element
from jace_repro.tester.views import Views

_VOID = frozenset({"meta", "link", "input", "br", "img"})


class Parsed(HTMLParser):
    """The elements of a page; fails for one that is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def attributes(self, name: str) -> list[str]:
        return [found[name] or "" for _, found in self.elements if name in found]


@pytest.fixture(scope="module")
def parsed(page: str) -> Parsed:
    return Parsed(page)


def test_it_needs_nothing_else(parsed: Parsed, page: str) -> None:
    for name in ("src", "href", "xlink:href", "action", "data"):
        for target in parsed.attributes(name):
            assert re.match(r"#|data:|minimal/|entries/|$", target), target
    assert not re.search(r"@import|url\((?!#)", page)
    assert not re.search(r"fetch\(|XMLHttpRequest|importScripts", page)


def test_identifiers_are_of_one_element_each(parsed: Parsed) -> None:
    own = [found for tag, found in parsed.elements if tag not in ("path", "clippath", "image", "g", "use")]
    counted = Counter(found["id"] for found in own if "id" in found)
    assert counted["finding-1"] == counted["finding-2"] == 1
    assert set(counted.values()) == {1}


def test_what_a_finding_says(parsed: Parsed) -> None:
    for told in (
        "2 findings in 5 tested entries",
        "Wrong result of sub",
        "To blame: DaCe pass: a pass of DaCe: the SDFG is right before it.",
        "step train.py:12 and 1 other entry",
        "Guilty sub at train.py:14",
        "simplify/FuseStates , application 1: StateFusion",
        "value, at most 3,000,000 ULP",
        "minimal/step.py , 3 equations",
        "Also in again",
        "float32[40, 90]",
        "301 of 3,600 elements differ",
        "1 NaN or infinite on one side alone",
        "higher precision ✓ yes ✗ no 3,000,000",
        "DaCe, -O0 no compiler – –",
        "300 equations and 5,000 elements became 3 equations and 12 elements in 12 tests, 4 s; "
        "none of the 57 smaller programs that one step leads to shows it.",
        'Right: jace.jit(pipeline="canonical/simplify@simplify/FuseStates:0")',
        'Wrong: jace.jit(pipeline="canonical/simplify@simplify/FuseStates:1")',
        "not monotone",
        "output 0[1]: got 1, expected 2 <i>",
        "Crash in f</script><b>\"'&",
        "SIGSEGV",
        "The program ended with exit code 1",
        "a worker did not start",
        "python train.py --name '<b>'",
    ):  # fmt: skip
        assert told in parsed.text, told


def test_all_versions_are_told(parsed: Parsed) -> None:
    names = [told for told in ("jax", "dace", "C++ compiler", "processor") if f" {told} " in parsed.text]
    assert len(names) == 4


def test_what_the_buttons_copy(report: tuple[Report, Path], page: str) -> None:
    _, base = report
    blocks = re.findall(r'<script type="application/json" class="texts">(.*?)</script>', page)
    first, second = map(json.loads, blocks)
    assert first["repro"] == (base / "minimal/step.py").read_text()
    assert first["report"] == bug_report(read(base / "report.json").report.groups[0])
    assert json.loads(first["sdfg"])["type"] == "SDFG"
    assert (second["repro"], second["sdfg"]) == ("", "")


@needs_dot
def test_levels_are_linked_by_lines_of_the_script(page: str, shown: Path) -> None:
    levels = page[page.index('<section class="levels"') :]
    panes = dict(
        re.findall(r'<div class="pane (\w+)">(.*?)(?=<div class="pane|</section>)', levels, re.DOTALL)
    )
    assert list(panes) == ["script", "jaxpr", "sdfg", "cpp"]
    source = (shown / "minimal/step.py").read_text().splitlines()
    (sub,) = [number for number, line in enumerate(source, 1) if "lax.sub(" in line]
    for name, pane in panes.items():
        assert re.search(rf'data-eq="{sub}"', pane), name
    assert re.search(rf'<g class="tasklet" data-eq="{sub}" style="--h:\d+">', panes["sdfg"])
    shown_script = html.unescape(re.sub(r"<[^>]+>", "", panes["script"]))
    assert "lax.sub(" in shown_script
    assert "/// jace-repro" not in shown_script


@needs_dot
def test_the_guilty_pass_stands_out_and_the_change_is_drawn(page: str) -> None:
    assert re.search(r'<li class="guilty" aria-current="step">\s*<span class="stage">simplify</span>', page)
    change = page[page.index('class="columns change"') : page.index("Evidence</h3>")]
    assert change.count("<svg") == 2
    assert re.search(r'class="\w+ gone"', change)


def test_plots_take_their_colours_from_the_page(page: str) -> None:
    drawn = re.findall(r'<svg [^>]*class="plot".*?</svg>', page, re.DOTALL)
    assert len(drawn) == 3  # error map, histogram, curve
    for svg in drawn:
        colours = set(re.findall(r"(?:fill|stroke): (#\w+)", svg))
        assert not colours, colours
    assert "data:image/png;base64," in drawn[0]


def test_without_views_it_says_so_and_shows_the_script(report: tuple[Report, Path], tmp_path: Path) -> None:
    _, base = report
    shutil.copytree(base / "minimal", tmp_path / "minimal")
    shutil.copy(base / "report.json", tmp_path / "report.json")
    text = Parsed(render(read(tmp_path / "report.json"), tmp_path, tmp_path / "report.html")).text
    assert "Not shown: the views of its repro were not made" in text
    assert "lax . sub" in text


def test_links_lead_to_the_repros_from_wherever_the_page_lies(shown: Path, tmp_path: Path) -> None:
    other = shown / "deep" / "er" / "page.html"
    targets = Parsed(render(read(shown / "report.json"), shown, other)).attributes("href")
    assert "../../minimal/step.py" in targets


def test_without_dot_the_outline_is_shown(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jace_repro.page.drawing.shutil.which", lambda name: None)
    text = Parsed(render(read(shown / "report.json"), shown, shown / "report.html")).text
    assert "Not drawn: Graphviz's dot is not installed. This is its outline." in text
    assert "tasklet sub (sub_" in text


def test_without_matplotlib_there_are_no_plots(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError("no matplotlib")

    monkeypatch.setattr(plots, "_matplotlib", missing)
    page = render(read(shown / "report.json"), shown, shown / "report.html")
    assert 'class="plot"' not in page
    assert "Wrong result of sub" in page


def test_elements_are_shown_as_they_were_judged_where_nothing_was_run(
    rendered: Callable[[Report], str],
) -> None:
    told = Differing(1, (3,), "float32", 20, (Element((2,), "0.5", "7.25"),))
    recorded = replace(_bad("a"), differing=(told,))
    small = replace(recorded, differing=(replace(told, elements=(Element((1,), "1.5", "2.5"),)),))
    entry = EntryReport(Entry("f"), verdicts=(recorded,))
    text = Parsed(rendered(Report("run", (entry,)))).text
    assert "Repro, as it was judged output 1 float32[3] 20 elements are wrong" in text
    assert "[2] 0.5 7.25" in text
    reduced = ReducedReport(Path("gone.py"), 1, 1, 1, 1.0, verdict=small)
    text = Parsed(rendered(Report("run", (replace(entry, reduced=reduced),)))).text
    assert "Minimal repro, as it was judged" in text
    assert "[1] 1.5 2.5" in text
    assert "7.25" not in text


def test_who_is_expected_to_be_right(shown: Path) -> None:
    known = read(shown / "report.json").report
    group = known.groups[0]
    xla = replace(group, verdict=replace(group.verdict, outcome="reference-mismatch"))
    pages = [finding.FindingPage(1, one, FindingViews(Views()), shown, shown) for one in (group, xla)]
    assert [page.sides for page in pages] == [("XLA", "DaCe"), ("DaCe", "XLA")]


def test_a_clean_run_and_an_empty_one(rendered: Callable[[Report], str]) -> None:
    fine = EntryReport(Entry("f"), verdicts=(Verdict("fused", "ok"),))
    assert "No findings in 1 tested entry" in Parsed(rendered(Report("run", (fine,)))).text
    assert "No findings in 0 tested entries" in Parsed(rendered(Report("run"))).text
    assert "Interrupted: no findings" in Parsed(rendered(Report("run", (fine,), interrupted=True))).text
    assert "1 recorded entry" in Parsed(rendered(Report("record", (EntryReport(Entry("f")),)))).text


def test_thousands_of_entries_are_data_and_not_elements(rendered: Callable[[Report], str]) -> None:
    entries = [
        EntryReport(Entry(f"f{k}", source="a.py:1"), verdicts=(Verdict("fused", "ok"),)) for k in range(5000)
    ]
    page = rendered(Report("run", (*entries, EntryReport(Entry("g"), verdicts=(_bad("a"), _bad("b"))))))
    parsed = Parsed(page)
    assert len(parsed.elements) < 700
    assert len(page) < 3_000_000
    rows = json.loads(re.search(r'id="rows">(.*?)</script>', page)[1])  # type: ignore[index]
    assert len(rows) == 5001
    assert (rows[-1]["outcome"], rows[-1]["finding"]) == ("mismatch", 1)


def _bad(signature: str) -> Verdict:
    return Verdict("fused", "mismatch", signature * 12)


def test_a_report_that_was_written_twice_is_the_same_page(shown: Path, page: str) -> None:
    assert render(read(shown / "report.json"), shown, shown / "report.html") == page


def test_the_worst_outcome_speaks_for_an_entry(rendered: Callable[[Report], str]) -> None:
    verdicts = (Verdict("fused", "ok"), replace(_bad("a"), pipeline="canonical"))
    page = rendered(Report("run", (EntryReport(Entry("f"), verdicts=verdicts), EntryReport(Entry("g")))))
    rows = json.loads(re.search(r'id="rows">(.*?)</script>', page)[1])  # type: ignore[index]
    assert [row["outcome"] for row in rows] == ["mismatch", "not tested"]


def test_the_report_is_not_changed(shown: Path, report: tuple[Report, Path], tmp_path: Path) -> None:
    write(report[0], shown / "again.json")
    assert (shown / "again.json").read_text() == (shown / "report.json").read_text()
