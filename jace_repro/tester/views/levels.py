"""A program at each level: jaxpr, SDFG, C++; every line and node with the lines of the script that it comes from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dace.transformation import transformation as xf
from jax.extend.core import ClosedJaxpr

from jace.build import generate
from jace.debug import Watch, locate, sources_in, without_notes
from jace_repro.tester.views.views import Line, PassRun

#: More lines of C++ are not shown.
MAX_LINES = 4000
#: How JAX ends a line of a jaxpr: the place of the equation that begins there.
_PLACE = re.compile(r"^(.*?) *# (\S.*?):(\d+):\d+ \(.*\)$")


def jaxpr_lines(closed: ClosedJaxpr, script: str) -> tuple[Line, ...]:
    """The jaxpr as JAX prints it; the lines of an equation that takes several come from the same place.

    Args:
        closed: traced from the script.
        script: the name of the script's file, as Python knows it.
    """
    lines: list[Line] = []
    begun: list[
        tuple[int, tuple[int, ...]]
    ] = []  # equations around a line: indentation and place, outermost first
    for text in str(closed.pretty_print(source_info=True)).splitlines():
        found = _PLACE.match(text)
        bare = found[1] if found is not None else text.rstrip()
        indent = len(bare) - len(bare.lstrip())
        ends = bare.lstrip().startswith("]")  # of the equation that began at this indentation
        while begun and (begun[-1][0] > indent or (begun[-1][0] == indent and not ends)):
            begun.pop()
        if found is not None:
            begun.append((indent, (int(found[3]),) if found[2] == script else ()))
        lines.append(Line(bare, begun[-1][1] if begun else ()))
    return tuple(lines)


def sdfg_json(sdfg: Any, script: str) -> dict[str, Any]:
    """The SDFG in DaCe's JSON, without notes; tasklets have `script`, the lines that they compute."""
    data: dict[str, Any] = sdfg.to_json()
    for node in _nodes(data):
        if node["type"] == "Tasklet":
            code = node["attributes"]["code"]
            sources = sources_in(code["string_data"]) or _source(node["attributes"]["debuginfo"], data)
            node["script"] = _lines_of(sources, script)
            code["string_data"] = without_notes(code["string_data"])
    return data


def _source(info: Mapping[str, Any] | None, sdfg: Mapping[str, Any]) -> tuple[str, ...]:
    """The place of a tasklet that has no notes, which DaCe keeps none of in Python code."""
    if info is None or "file_index" not in info:
        return ()
    return (f"{sdfg['source_files'][info['file_index']]}:{info['start_line']}",)


def _nodes(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Everything in a region, at any depth."""
    for node in block.get("nodes", ()):
        yield node
        yield from _nodes(node)
        for _, branch in node.get("branches", ()):
            yield from _nodes(branch)
        if node["type"] == "NestedSDFG":
            yield from _nodes(node["attributes"]["sdfg"])


def code_lines(program: Any, script: str) -> tuple[Line, ...]:
    """The C++ that DaCe generates for a program that was translated with notes.

    A line of a map that computes nothing itself comes from all that the map computes.
    """
    text = generate(program, annotate=True).body
    annotated = text.splitlines()[:MAX_LINES]
    places = [locate(text, number) for number in range(1, len(annotated) + 1)]
    own = [_lines_of([place.source], script) if place else () for place in places]
    of_map: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for place, lines in zip(places, own, strict=True):
        if place is not None:
            of_map[place.state, place.map].update(lines)
    shown = []
    for line, place, lines in zip(annotated, places, own, strict=True):
        around = of_map[place.state, place.map] if place and place.map else ()
        shown.append(Line(without_notes(line), lines or tuple(sorted(around))))
    return tuple(shown)


def passes_of(watch: Watch, guilty: str | None) -> tuple[PassRun, ...]:
    """The runs of passes that applied a transformation, and the guilty one whatever it did."""
    real = {
        cls.__name__ for base in (xf.PatternTransformation, xf.SubgraphTransformation) for cls in _below(base)
    }
    runs = []
    for run in watch.runs:
        applied = tuple(one.name for one in run.applications if one.name in real or "/" not in run.label)
        if applied or run.label == guilty:
            runs.append(PassRun(run.label, applied))
    return tuple(runs)


def _below(cls: type[Any]) -> Iterator[type[Any]]:
    for child in cls.__subclasses__():
        yield child
        yield from _below(child)


def _lines_of(sources: Iterable[str], script: str) -> tuple[int, ...]:
    """The lines of the script among places like "FILE:LINE (function)"."""
    found = set()
    for source in sources:
        file, _, line = source.partition(" (")[0].rpartition(":")
        if file == script and line.isdigit():
            found.add(int(line))
    return tuple(sorted(found))
