"""An SDFG as a person looks at it: nested boxes, what flows between them, and the lines of the script behind each.

In: DaCe's JSON, as `Views` have it or a file of DaCe's. Out: a `Graph`. A map is a box around its scope: the edges go
through its entry and exit, as they do through the border of a nested SDFG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_Json = Mapping[str, Any]


@dataclass(frozen=True)
class Element:
    """A node, or a box with others in it.

    Attributes:
        key: unique in the graph.
        kind: "state", "loop", "branch", "region", "nested", "map", "access", "tasklet" or "library".
        title: what is written on it.
        name: DaCe's label.
        told: all that is known of it, for who asks.
        script: the lines of the script that it comes from.
        inside: what is in it.
    """

    key: str
    kind: str
    title: str
    name: str
    told: str = ""
    script: tuple[int, ...] = ()
    inside: tuple[Element, ...] = ()

    def walk(self) -> Iterator[Element]:
        """Itself and everything inside, outermost first."""
        yield self
        for one in self.inside:
            yield from one.walk()


@dataclass(frozen=True)
class Edge:
    """What moves between two nodes, or, between two boxes, which comes first."""

    source: str
    target: str
    told: str = ""
    order: bool = False


@dataclass(frozen=True)
class Graph:
    """What is drawn of an SDFG; `containers` are its arrays, a line each."""

    inside: tuple[Element, ...]
    edges: tuple[Edge, ...]
    containers: tuple[str, ...] = ()

    def walk(self) -> Iterator[Element]:
        """Every element, outermost first."""
        for one in self.inside:
            yield from one.walk()


def graph_of(sdfg: _Json, primitives: Mapping[int, str] | None = None) -> Graph:
    """The graph of an SDFG.

    Args:
        sdfg: in DaCe's JSON.
        primitives: what the lines of the script compute, to name tasklets by.
    """
    reader = _Reader(primitives or {})
    inside = reader.region(sdfg, "")
    return Graph(inside, tuple(dict.fromkeys(reader.edges)), tuple(_containers(sdfg)))


def _containers(sdfg: _Json) -> Iterator[str]:
    for name, desc in sorted(sdfg["attributes"]["_arrays"].items()):
        about = desc["attributes"]
        shape = ", ".join(map(str, about.get("shape", ())))
        kind = "transient" if about.get("transient") else "argument"
        dtype = about.get("dtype", "int32")  # DaCe leaves out what is the default
        yield f"{kind} {name}: {dtype if isinstance(dtype, str) else dtype.get('type')}[{shape}]"


class _Reader:
    """Reads regions and states; collects the edges on the way."""

    def __init__(self, primitives: Mapping[int, str]) -> None:
        self.primitives = primitives
        self.edges: list[Edge] = []

    def region(self, region: _Json, prefix: str) -> tuple[Element, ...]:
        """The blocks of a region."""
        keys = {str(block["id"]): f"{prefix}b{block['id']}" for block in region["nodes"]}
        blocks = tuple(self.block(block, keys[str(block["id"])]) for block in region["nodes"])
        for edge in region["edges"]:
            about = edge["attributes"]["data"]["attributes"]
            told = _condition(about.get("condition"))
            assigned = (about.get("assignments") or {}).items()
            told = "; ".join(filter(None, (told, *(f"{name} = {value}" for name, value in assigned))))
            self.edges.append(Edge(keys[edge["src"]], keys[edge["dst"]], told, order=True))
        return blocks

    def block(self, block: _Json, key: str) -> Element:
        kind, label, about = block["type"], block["label"], block["attributes"]
        if kind == "SDFGState":
            inside, _ = self.scope(block, key)
            return _box(key, "state", label, label, inside)
        if kind == "ConditionalBlock":
            branches = []
            for number, (condition, branch) in enumerate(block["branches"]):
                own = f"{key}c{number}"
                title = f"if {_code(condition)}" if condition else "else"
                branches.append(_box(own, "region", title, branch["label"], self.region(branch, own)))
            return _box(key, "branch", label, label, branches)
        inside = self.region(block, key)
        if kind == "LoopRegion":
            parts = ("init_statement", "loop_condition", "update_statement")
            head = "; ".join(filter(None, (_code(about.get(part)) for part in parts)))
            return _box(key, "loop", f"for {head}" if ";" in head else f"while {head}", label, inside)
        return _box(key, "region", label, label, inside)

    def scope(self, state: _Json, key: str) -> tuple[tuple[Element, ...], Mapping[str, Element]]:
        """The nodes of a state, each map with its scope inside; the edges between them."""
        nodes = {str(node["id"]): node for node in state["nodes"]}
        keys = {number: f"{key}n{number}" for number in nodes}
        made = {
            number: self.node(node, keys[number])
            for number, node in nodes.items()
            if node["type"] not in ("MapEntry", "MapExit")
        }

        def within(entry: str | None) -> Iterator[Element]:
            for number, node in nodes.items():
                inner = node.get("scope_entry")
                if (None if inner is None else str(inner)) != entry or node["type"] == "MapExit":
                    continue
                if node["type"] == "MapEntry":
                    about = node["attributes"]
                    name, _, over = node["label"].partition("[")
                    title = f"map {over.rstrip(']')}"
                    made[number] = _box(
                        keys[number], "map", title, name, tuple(within(number)), about.get("schedule")
                    )
                yield made[number]

        inside = tuple(within(None))
        for source, target, told in _flows(state, nodes):
            out, into = self.port(nodes, made, source, last=True), self.port(nodes, made, target, last=False)
            if out and into:
                self.edges.append(Edge(out, into, told))
        return inside, made

    def node(self, node: _Json, key: str) -> Element:
        kind, label, about = node["type"], node["label"], node["attributes"]
        if kind == "NestedSDFG":
            return _box(key, "nested", f"nested {label}", label, self.region(about["sdfg"], key))
        script = tuple(node.get("script", ()))
        if kind == "Tasklet":
            computed = dict.fromkeys(self.primitives[line] for line in script if line in self.primitives)
            title = ", ".join(computed) or label
            return Element(key, "tasklet", title, label, _code(about.get("code")), script)
        if kind == "AccessNode":
            return Element(key, "access", label, label, script=script)
        return Element(key, "library", label, label, kind, script)

    def port(
        self,
        nodes: Mapping[str, _Json],
        made: Mapping[str, Element],
        end: tuple[str, str | None],
        *,
        last: bool,
    ) -> str:
        """Where an edge ends: at a node, or at the access inside of a nested SDFG that it stands for."""
        number, connector = end
        found = made[number]
        if nodes[number]["type"] != "NestedSDFG":
            return found.key
        same = [one.key for one in found.walk() if one.kind == "access" and one.name == connector]
        return (same[-1] if last else same[0]) if same else ""


def _flows(
    state: _Json, nodes: Mapping[str, _Json]
) -> Iterator[tuple[tuple[str, str | None], tuple[str, str | None], str]]:
    """Edges between nodes that are no borders of maps: source, target, what moves."""
    leaving: dict[tuple[str, str], list[_Json]] = {}
    for edge in state["edges"]:
        leaving.setdefault((edge["src"], edge.get("src_connector") or ""), []).append(edge)

    def ends(edge: _Json) -> Iterator[_Json]:
        """The last edges of the paths that go on from an edge through borders of maps."""
        if nodes[edge["dst"]]["type"] not in ("MapEntry", "MapExit"):
            yield edge
            return
        connector = (edge.get("dst_connector") or "").replace("IN_", "OUT_", 1)
        for following in leaving.get((edge["dst"], connector), ()) if connector else ():
            yield from ends(following)

    for edge in state["edges"]:
        if nodes[edge["src"]]["type"] in ("MapEntry", "MapExit"):
            continue
        for end in ends(edge):
            told = _memlet(end if nodes[edge["src"]]["type"] == "AccessNode" else edge)
            yield (edge["src"], edge.get("src_connector")), (end["dst"], end.get("dst_connector")), told


def _memlet(edge: _Json) -> str:
    data = edge["attributes"]["data"]
    about = data.get("attributes") if isinstance(data, Mapping) else None
    if not about or not about.get("data"):
        return ""
    subset = about.get("subset") or about.get("src_subset") or {}
    text = f"{about['data']}[{_subset(subset)}]"
    return f"{text} ({about['wcr']})" if about.get("wcr") else text


def _subset(subset: _Json) -> str:
    if "indices" in subset:
        return ", ".join(map(_symbols, subset["indices"]))
    return ", ".join(_range(r) for r in subset.get("ranges", ()))


def _symbols(expression: Any) -> str:
    return str(expression).replace("$", "")  # DaCe marks symbols so


def _range(r: _Json) -> str:
    start, end, step = (_symbols(r[name]) for name in ("start", "end", "step"))
    if start == end:
        return start
    stop = str(int(end) + 1) if end.lstrip("-").isdigit() else f"{end} + 1"
    return f"{start}:{stop}" if step == "1" else f"{start}:{stop}:{step}"


def _box(
    key: str, kind: str, title: str, name: str, inside: Sequence[Element], told: str | None = None
) -> Element:
    script = sorted({line for one in inside for line in one.script})
    return Element(key, kind, title, name, told or "", tuple(script), tuple(inside))


def _code(block: Any) -> str:
    return str(block.get("string_data") or "").strip() if isinstance(block, Mapping) else str(block or "")


def _condition(block: Any) -> str:
    text = _code(block)
    return "" if text in ("1", "True", "") else text


def outline(graph: Graph) -> Iterable[tuple[str, tuple[int, ...]]]:
    """The graph as indented lines, each with its lines of the script."""
    leaving: dict[str, list[Edge]] = {}
    titles = {one.key: one.title for one in graph.walk()}
    for edge in graph.edges:
        leaving.setdefault(edge.source, []).append(edge)
    for text in graph.containers:
        yield text, ()

    def lines(one: Element, depth: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        indent = "  " * depth
        head = one.title if one.kind in ("map", "loop", "nested", "region") else f"{one.kind} {one.title}"
        yield f"{indent}{head}" + ("" if one.name in head else f" ({one.name})"), one.script
        for edge in leaving.get(one.key, ()):
            word = "then" if edge.order else "to"
            yield f"{indent}  {word} {titles[edge.target]}" + (f": {edge.told}" if edge.told else ""), ()
        for inner in one.inside:
            yield from lines(inner, depth + 1)

    for one in graph.inside:
        yield from lines(one, 0)
