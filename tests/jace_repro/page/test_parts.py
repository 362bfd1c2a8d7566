"""The parts of a page by themselves: graphs, drawings, listings, timelines."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from drawn import needs_dot
from jax import lax

import jace
from jace_repro.page.drawing import MAX_ELEMENTS, DrawingError, draw
from jace_repro.page.graph import Edge, Element, Graph, graph_of, outline
from jace_repro.page.listing import listing, primitives_of, script_listing
from jace_repro.page.timeline import stops
from jace_repro.tester.views import PassRun, Views

X = np.ones(4, np.float32)


def graphed(fun: Callable[..., Any], pipeline: str) -> Graph:
    return graph_of(jace.translate_jaxpr(jax.make_jaxpr(fun)(X), pipeline).sdfg.to_json())


def kinds(graph: Graph) -> set[str]:
    return {one.kind for one in graph.walk()}


@pytest.fixture(scope="module")
def branchy() -> Graph:
    def program(x: jax.Array) -> Any:
        y = lax.while_loop(lambda c: c[0] < 9, lambda c: c * 2, x)
        return lax.cond(y[0] > 1, jnp.sin, jnp.cos, y)

    return graphed(program, "canonical/none")


def test_control_flow_is_boxes_in_boxes(branchy: Graph) -> None:
    assert kinds(branchy) >= {"state", "loop", "branch", "region", "map", "tasklet", "access"}
    (loop,) = [one for one in branchy.walk() if one.kind == "loop"]
    assert loop.title.startswith("while ")
    assert {one.kind for one in loop.walk()} >= {"state", "tasklet"}
    (branch,) = [one for one in branchy.walk() if one.kind == "branch"]
    titles = [one.title for one in branch.inside]
    assert titles[0].startswith("if ")
    assert titles[1] == "else"
    keys = [one.key for one in branchy.walk()]
    assert len(keys) == len(set(keys))
    assert {end for edge in branchy.edges for end in (edge.source, edge.target)} <= set(keys)


def test_edges_go_through_the_border_of_a_map(branchy: Graph) -> None:
    by_key = {one.key: one for one in branchy.walk()}
    moved = [edge for edge in branchy.edges if not edge.order]
    assert {by_key[edge.target].kind for edge in moved} == {"tasklet", "access"}
    assert any("[i0" in edge.told for edge in moved)
    assert not any("$" in edge.told for edge in moved)


def test_edges_go_through_the_border_of_a_nested_sdfg(step_views: Views) -> None:
    inner = {
        "type": "SDFG", "label": "in", "attributes": {"_arrays": {}}, "edges": [],
        "nodes": [{
            "type": "SDFGState", "id": 0, "label": "s", "attributes": {},
            "nodes": [_node(0, "AccessNode", "a"), _node(1, "Tasklet", "t"), _node(2, "AccessNode", "b")],
            "edges": [_edge(0, 1), _edge(1, 2)],
        }],
    }  # fmt: skip
    state = {
        "type": "SDFGState", "id": 0, "label": "s", "attributes": {},
        "nodes": [_node(0, "AccessNode", "x"), _node(1, "NestedSDFG", "n", sdfg=inner), _node(2, "AccessNode", "y")],
        "edges": [_edge(0, 1, dst_connector="a"), _edge(1, 2, src_connector="b")],
    }  # fmt: skip
    graph = graph_of({"attributes": {"_arrays": {}}, "nodes": [state], "edges": []})
    names = {one.key: one.name for one in graph.walk()}
    assert [(names[e.source], names[e.target]) for e in graph.edges] == [
        *(("a", "t"), ("t", "b"), ("x", "a"), ("b", "y"))
    ]


def _node(number: int, kind: str, label: str, **about: Any) -> dict[str, Any]:
    return {"type": kind, "id": number, "label": label, "attributes": about, "scope_entry": None}


def _edge(source: int, target: int, **connectors: str) -> dict[str, Any]:
    return {"src": str(source), "dst": str(target), "attributes": {"data": {}}, **connectors}


def test_the_outline_has_every_element_once(branchy: Graph) -> None:
    lines = [text for text, _ in outline(branchy)]
    for one in branchy.walk():
        assert sum(one.name in line and " to " not in line and " then " not in line for line in lines) >= 1
    assert "argument a0000: float32[4]" in lines


@needs_dot
def test_a_drawing_has_the_classes_of_its_parts(branchy: Graph) -> None:
    one = next(one for one in branchy.walk() if one.kind == "tasklet")
    root = ET.fromstring(draw(branchy, {one.name: "gone"}, {}))
    classes = {group.get("class", "").split(" ")[0] for group in root.iter("{http://www.w3.org/2000/svg}g")}
    assert kinds(branchy) | {"memlet", "order"} <= classes
    assert [g.get("class") for g in root.iter() if "gone" in g.get("class", "")] == ["tasklet gone"]
    assert not any(shape.get(name) for shape in root.iter() for name in ("fill", "stroke", "font-family"))


@needs_dot
def test_text_in_a_graph_is_text() -> None:
    nasty = 'a"\\n</svg><script>'
    root = ET.fromstring(draw(Graph((Element("k", "access", nasty, nasty, nasty),), ()), {}, {}))
    assert any(nasty in (text.text or "") for text in root.iter())


def test_what_is_too_large_is_not_drawn() -> None:
    many = tuple(Element(f"k{n}", "access", "a", "a") for n in range(MAX_ELEMENTS + 1))
    with pytest.raises(DrawingError, match="too many"):
        draw(Graph(many, (Edge("k0", "k1"),)), {}, {})


def test_a_listing_keeps_the_text_and_escapes_it() -> None:
    text = 'if a < b && "</pre>":\n\n  # é'
    lines = listing([(line, ()) for line in text.split("\n")], "python")
    assert [line.number for line in lines] == [1, 2, 3]
    assert "&lt;" in lines[0].html
    assert "</pre>" not in lines[0].html
    assert [line.html.striptags().strip() for line in lines] == [*('if a < b && "</pre>":', "", "# é")]


def test_a_jaxpr_is_coloured_and_its_primitives_are_known() -> None:
    rows = [
        ("{ lambda ; a:f32[4]. let", ()),
        ("    b:f32[4] = sin a", (3,)),
        ("    c:f32[] = reduce_sum[", (4,)),
    ]
    lines = listing(rows, "jaxpr")
    assert '<span class="nf">sin</span>' in lines[1].html
    assert '<span class="k">lambda</span>' in lines[0].html
    assert primitives_of(rows) == {3: "sin", 4: "reduce_sum"}


def test_all_lines_of_a_call_come_from_its_first() -> None:
    source = (
        "# /// jace-repro\n# x = 1\n# ///\n\ndef repro(a):\n    b = f(\n        a,\n    )\n    return b\n"
    )
    lines = script_listing(source, [6])
    assert [(line.number, line.script) for line in lines] == [
        (5, ()),
        (6, (6,)),
        (7, (6,)),
        (8, (6,)),
        (9, ()),
    ]


@pytest.mark.parametrize(
    ("guilty", "states"),
    [
        (None, []),
        ("auto/Fuse.2", ["right", "right", "guilty", "wrong"]),
        ("auto", ["right", "unknown", "unknown", "unknown"]),
        ("fold", ["right", "right", "right", "right"]),
    ],
)
def test_it_is_right_until_the_guilty_pass_and_wrong_from_there_on(
    guilty: str | None, states: list[str]
) -> None:
    runs = [PassRun("simplify/Fuse", ("A", "A", "B")), PassRun("auto/Fuse", ("A",)), PassRun("auto/Fuse.2", ("A",)),
            PassRun("auto/Move", ("C",))]  # fmt: skip
    found = stops(runs, {"pass": guilty, "application": 1, "transformation": "A"})
    assert [stop.state for stop in found] == states
    if guilty == "auto/Fuse.2":
        assert (found[0].stage, found[0].name, found[0].applied) == ("simplify", "Fuse", "A × 2, B")
        assert found[2].told == "application 1: A"
