"""A graph as inline SVG, laid out by Graphviz's `dot` where that is installed; colours are the page's own (CSS).

DaCe's own viewer is not used: the bundle that its package ships looks for its icon font at a path of the machine that
it was built on, and it draws on a canvas, which the page can neither theme nor link to.
"""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from jace_repro.page.graph import Element, Graph

#: A larger graph is not drawn: nobody reads it.
MAX_ELEMENTS = 600
SECONDS = 20.0

_SVG = "http://www.w3.org/2000/svg"
_SHAPES = {"access": "ellipse", "tasklet": "octagon", "library": "folder"}
_GRAPH = """digraph {
compound=true; ranksep=0.28; nodesep=0.22; fontname="Helvetica,Arial,sans-serif"; fontsize=10; bgcolor="transparent";
labeljust=l; margin=0; pad=0.04;
node [fontname="Helvetica,Arial,sans-serif", fontsize=10, height=0.26, width=0.3, margin="0.08,0.03"];
edge [arrowsize=0.5];
"""


class DrawingError(Exception):
    """There is no drawing, and why."""


def draw(graph: Graph, marks: Mapping[str, str], hues: Mapping[int, int]) -> str:
    """The SVG element of a graph.

    Its parts have the classes of their kinds and `data-eq`, the lines of the script that they come from.

    Args:
        graph: what to draw.
        marks: further classes of elements, by their names.
        hues: the colour of what comes from a line of the script alone.
    Raises:
        DrawingError: there is no dot, it fails, or the graph is too large.
    """
    elements = {one.key: one for one in graph.walk()}
    if len(elements) > MAX_ELEMENTS:
        raise DrawingError(f"{len(elements)} nodes are too many to draw")
    dot = shutil.which("dot")
    if dot is None:
        raise DrawingError("Graphviz's dot is not installed")
    try:
        done = subprocess.run(
            [dot, "-Tsvg"], input=_text(graph), capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise DrawingError(f"dot failed: {error}") from error
    return _themed(done.stdout, graph, marks, hues)


def _text(graph: Graph) -> str:
    elements = {one.key: one for one in graph.walk()}
    lines = [line for one in graph.inside for line in _declared(one)]
    for number, edge in enumerate(graph.edges):
        source, target = elements[edge.source], elements[edge.target]
        attributes = [f'id="e{number}"']
        if source.inside or source.kind in _BOXES:
            attributes.append(f'ltail="cluster_{source.key}"')
        if target.inside or target.kind in _BOXES:
            attributes.append(f'lhead="cluster_{target.key}"')
        if edge.order:
            attributes.append("minlen=2")
        lines.append(f"{_end(source, last=True)} -> {_end(target, last=False)} [{', '.join(attributes)}];")
    return _GRAPH + "\n".join(lines) + "\n}\n"


_BOXES = frozenset({"state", "loop", "branch", "region", "nested", "map"})


def _declared(one: Element) -> Iterator[str]:
    if one.kind not in _BOXES:
        yield f'{one.key} [id="{one.key}", label={_quoted(one.title)}, shape={_SHAPES[one.kind]}];'
        return
    yield f'subgraph cluster_{one.key} {{ id="{one.key}"; label={_quoted(one.title)}; margin=7;'
    for inner in one.inside:
        yield from _declared(inner)
    if not one.inside:
        yield f'{one.key}_empty [id="{one.key}_empty", label="", shape=point, style=invis];'
    yield "}"


def _end(one: Element, *, last: bool) -> str:
    """The node that stands for a box at the end of an edge."""
    leaves = [inner for inner in one.walk() if inner.kind not in _BOXES or not inner.inside]
    end = leaves[-1] if last else leaves[0]
    return end.key if end.kind not in _BOXES else f"{end.key}_empty"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped if len(escaped) <= 60 else escaped[:57] + "..."}"'


def _themed(text: str, graph: Graph, marks: Mapping[str, str], hues: Mapping[int, int]) -> str:
    """The drawing without colours and fonts of its own, its parts by class."""
    elements = {one.key: one for one in graph.walk()}
    ET.register_namespace("", _SVG)
    root = ET.fromstring(text)
    root.set("class", "graph")
    for name in ("width", "height"):
        root.set(name, f"{float((root.get(name) or '0pt').removesuffix('pt')) * 4 / 3:.0f}")
    for group in root.iter(f"{{{_SVG}}}g"):
        key = group.attrib.pop("id", "")
        title = group.find(f"{{{_SVG}}}title")
        if key in elements:
            one = elements[key]
            group.set("class", " ".join(filter(None, (one.kind, marks.get(one.name)))))
            if one.script:
                group.set("data-eq", " ".join(map(str, one.script)))
            if len(one.script) == 1 and one.script[0] in hues:
                group.set("style", f"--h:{hues[one.script[0]]}")
            told = "\n".join(dict.fromkeys(filter(None, (one.title, one.name, one.told))))
        elif key[:1] == "e" and key[1:].isdigit():
            edge = graph.edges[int(key[1:])]
            group.set("class", "order" if edge.order else "memlet")
            told = edge.told
        else:
            group.attrib.pop("class", None)
            told = ""
        if title is not None:
            title.text = told
            if not told:
                group.remove(title)
        for shape in group:
            for name in ("fill", "stroke", "font-family"):
                shape.attrib.pop(name, None)
    return ET.tostring(root, encoding="unicode")
