"""What the page shows of one finding, put together from the report, the repro and its views."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from markupsafe import Markup

from jace_repro.campaign import bugreport
from jace_repro.campaign.report import Group
from jace_repro.campaign.views import FindingViews, shown_repro
from jace_repro.page import plots
from jace_repro.page.drawing import DrawingError, draw
from jace_repro.page.graph import Graph, graph_of, outline
from jace_repro.page.listing import (
    ListedLine,
    header_lines,
    listing,
    primitives_of,
    script_listing,
)
from jace_repro.page.timeline import Stop, stops
from jace_repro.repro import Repro, ReproError, load
from jace_repro.tester.numerics.differing import Differing
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.outcomes import OUTCOMES, Outcome
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tester.views import OutputErrors, Views

#: The golden angle: hues that follow one another are far apart.
_TURN = 137.508
#: Whose value is the expected one, and whose the actual one, where it is not XLA's and DaCe's.
_SIDES = {
    "reference-mismatch": ("DaCe", "XLA"),
    "relation-mismatch": ("the second form", "the first form"),
}
#: Neither red nor green, which mean wrong and right; nor are those that follow at once.
_FIRST = 290


@dataclass(frozen=True)
class Drawing:
    """A graph: the SVG, or why there is none, and the outline that stands for it then."""

    title: str
    svg: Markup | None
    problem: str
    outline: tuple[ListedLine, ...]
    nodes: int


@dataclass(frozen=True)
class Compared:
    """An output of both sides: how they differ, and the plots of it, drawn when they are asked for."""

    errors: OutputErrors

    @property
    def map(self) -> Markup | None:
        """The errors by element; None where nothing can be drawn."""
        return _plot(plots.error_map, self.errors) if self.errors.map else None

    @property
    def histogram(self) -> Markup | None:
        """The errors by size; None where nothing can be drawn."""
        return _plot(plots.histogram, self.errors) if self.errors.histogram else None


class FindingPage:
    """One finding, as the template asks for it; what is expensive is made when it is asked for.

    Attributes:
        number: from 1.
        group: the finding, with the entries that show it.
        views: of its repro; none where they were not made.
        base: the directory of the report.
        folder: the directory that the page will lie in.
    """

    def __init__(self, number: int, group: Group, views: FindingViews, base: Path, folder: Path) -> None:
        self.number = number
        self.group = group
        self.views: Views = views.repro
        self.recorded = views.recorded
        self.base = base
        self.folder = folder

    @property
    def verdict(self) -> Verdict:
        """The verdict that stands for all."""
        return self.group.verdict

    @property
    def outcome(self) -> Outcome:
        """What it means."""
        return OUTCOMES[self.verdict.outcome]

    @property
    def entry(self) -> Any:
        """The entry that stands for all."""
        return self.group.entry

    @cached_property
    def title(self) -> str:
        """What is wrong with what."""
        primitive = self.verdict.guilty.primitive if self.verdict.guilty is not None else None
        return self.outcome.title.format(what=primitive or self.entry.name)

    @cached_property
    def repro(self) -> Repro | None:
        """The repro that is shown."""
        path = shown_repro(self.group)
        try:
            return None if path is None else load(path)
        except (OSError, ReproError):
            return None

    @cached_property
    def repro_path(self) -> str:
        """The repro, as seen from the page; "" for none."""
        path = shown_repro(self.group)
        return "" if path is None else Path(os.path.relpath(path, self.folder)).as_posix()

    @cached_property
    def bug_report(self) -> str:
        """Ready for an issue."""
        return bugreport.bug_report(self.group)

    @property
    def texts(self) -> dict[str, str]:
        """What the buttons copy and save."""
        sdfg = json.dumps(self.views.sdfg) if self.views.sdfg is not None else ""
        source = self.repro.source if self.repro is not None else ""
        return {"repro": source, "report": self.bug_report, "sdfg": sdfg}

    @property
    def blamed(self) -> str:
        """Who is wrong, in a sentence."""
        who = self.verdict.who
        return "" if who is None else f"{who}: {PARTIES[who]}"

    @property
    def localized(self) -> Mapping[str, Any]:
        """What localisation found."""
        return self.entry.localized or {}

    @property
    def sides(self) -> tuple[str, str]:
        """Whose value is the expected one, and whose the actual one."""
        return _SIDES.get(self.verdict.outcome, ("XLA", "DaCe"))

    # --- the program at each level ---------------------------------------------------------------------------

    @cached_property
    def linked(self) -> tuple[int, ...]:
        """The lines of the script that views come from, in order."""
        lines = (*self.views.jaxpr, *self.views.code)
        return tuple(sorted({number for line in lines for number in line.script}))

    @cached_property
    def hues(self) -> dict[int, int]:
        """A colour of each."""
        return {line: round(_FIRST + k * _TURN) % 360 for k, line in enumerate(self.linked)}

    def hue(self, script: Sequence[int]) -> int | None:
        """The colour of what comes from these lines; None for what comes from several, or none."""
        return self.hues.get(script[0]) if len(script) == 1 else None

    @cached_property
    def script(self) -> tuple[ListedLine, ...]:
        """The script without its headers."""
        return () if self.repro is None else script_listing(self.repro.source, self.linked)

    @property
    def hidden_lines(self) -> int:
        """How many lines of the script its headers take."""
        return 0 if self.repro is None else header_lines(self.repro.source)

    @cached_property
    def jaxpr(self) -> tuple[ListedLine, ...]:
        """The jaxpr."""
        return listing(self.views.jaxpr, "jaxpr")

    @cached_property
    def code(self) -> tuple[ListedLine, ...]:
        """The C++."""
        return listing(self.views.code, "c++")

    @cached_property
    def sdfg(self) -> Drawing | None:
        """The SDFG that is compiled."""
        return self._drawing("SDFG", self.views.sdfg, {})

    def _drawing(self, title: str, sdfg: Mapping[str, Any] | None, marks: dict[str, str]) -> Drawing | None:
        if sdfg is None:
            return None
        graph = graph_of(sdfg, primitives_of(self.views.jaxpr))
        svg, problem = None, ""
        try:
            svg = Markup(draw(graph, marks, self.hues))
        except DrawingError as error:
            problem = str(error)
        return Drawing(title, svg, problem, listing(outline(graph), "outline"), sum(1 for _ in graph.walk()))

    # --- the pipeline ----------------------------------------------------------------------------------------

    @cached_property
    def timeline(self) -> tuple[Stop, ...]:
        """The passes of the pipeline, the guilty one among them."""
        return stops(self.views.passes, self.localized)

    @cached_property
    def change(self) -> tuple[Drawing, ...]:
        """The SDFG before and after the culprit; nothing where they are not known, or the same."""
        before, after = (self._side(name) for name in ("before", "after"))
        if before is None or after is None or before == after:
            return ()
        old, new = (_names(graph_of(sdfg)) for sdfg in (before, after))
        pair = (
            self._drawing("before", before, dict.fromkeys(old - new, "gone")),
            self._drawing("after", after, dict.fromkeys(new - old, "new")),
        )
        return tuple(drawing for drawing in pair if drawing is not None)

    def _side(self, name: str) -> Mapping[str, Any] | None:
        made: Mapping[str, Any] | None = getattr(self.views, name)
        saved = self.localized.get(name)
        if made is not None or not saved:
            return made
        try:
            data: dict[str, Any] = json.loads((self.base / saved).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data

    @cached_property
    def diff(self) -> tuple[tuple[str, str], ...]:
        """What changed, line by line, each with its sign."""
        saved = self.localized.get("diff")
        try:
            text = (self.base / saved).read_text(encoding="utf-8") if saved else ""
        except OSError:
            text = ""
        return tuple((line[6:7].strip(), line) for line in text.splitlines())

    # --- values ----------------------------------------------------------------------------------------------

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The outputs of the shown repro that differ."""
        return _compared(self.views.outputs)

    @cached_property
    def compared_recorded(self) -> tuple[Compared, ...]:
        """The outputs of the recorded program that differ."""
        return _compared(self.recorded)

    @property
    def judged(self) -> tuple[Differing, ...]:
        """The differing elements as they were judged: of the minimal repro, else of the recorded one."""
        reduced = self.entry.reduced
        if reduced is not None and reduced.verdict is not None:
            return tuple(reduced.verdict.differing)
        return tuple(self.verdict.differing)

    @cached_property
    def curve(self) -> Markup | None:
        """The reduction; None where nothing got smaller or the report does not tell."""
        reduced = self.entry.reduced
        if reduced is None or len(reduced.steps) < 2:
            return None
        return _plot(plots.reduction_curve, reduced.steps, reduced.oracle_calls)


def _names(graph: Graph) -> set[str]:
    return {one.name for one in graph.walk()}


def _compared(outputs: Sequence[OutputErrors] | None) -> tuple[Compared, ...]:
    return tuple(Compared(errors) for errors in outputs or () if errors.count or errors.mismatch)


def _plot(function: Any, *args: Any) -> Markup | None:
    """The plot; None where Matplotlib is not installed."""
    try:
        return Markup(function(*args))
    except ImportError:
        return None
