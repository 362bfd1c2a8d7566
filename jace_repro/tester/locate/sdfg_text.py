"""An SDFG as lines of text, and what a transformation changed in it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import dace
from dace.sdfg import nodes
from dace.sdfg.state import ConditionalBlock, ControlFlowRegion, LoopRegion, SDFGState


def lines_of(sdfg: dace.SDFG) -> list[str]:
    """Containers, then control flow with its states; in a state its nodes, each with the memlets that leave it."""
    return list(_sdfg(sdfg, ""))


def difference(before: dace.SDFG, after: dace.SDFG) -> tuple[str, ...]:
    """What changed, a line each: the line's number before (-) or after (+), with one line around for context."""
    old, new = lines_of(before), lines_of(after)
    shown: list[str] = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(1):
        if shown:
            shown.append("      ...")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                shown += [f"{j:5}   {new[j - 1]}" for j in range(j1 + 1, j2 + 1)]
                continue
            shown += [f"{i:5} - {old[i - 1]}" for i in range(i1 + 1, i2 + 1)]
            shown += [f"{j:5} + {new[j - 1]}" for j in range(j1 + 1, j2 + 1)]
    return tuple(shown)


def _sdfg(sdfg: dace.SDFG, indent: str) -> Iterator[str]:
    for name, desc in sorted(sdfg.arrays.items()):
        kind = "transient" if desc.transient else "argument"
        shape = ", ".join(map(str, desc.shape))
        yield f"{indent}{kind} {name}: {desc.dtype.to_string()}[{shape}] {desc.storage.name} {desc.lifetime.name}"
    yield from _region(sdfg, indent)


def _region(region: ControlFlowRegion, indent: str) -> Iterator[str]:
    for block in region.nodes():
        yield from _block(block, indent)
    for edge in region.edges():
        says = [] if edge.data.is_unconditional() else [f"if {edge.data.condition.as_string}"]
        says += [f"{name} = {value}" for name, value in sorted(edge.data.assignments.items())]
        text = ": " + "; ".join(says) if says else ""
        yield f"{indent}edge {edge.src.label} -> {edge.dst.label}{text}"


def _block(block: Any, indent: str) -> Iterator[str]:
    inner = indent + "  "
    if isinstance(block, SDFGState):
        yield f"{indent}state {block.label}"
        yield from _state(block, inner)
    elif isinstance(block, ConditionalBlock):
        for condition, branch in block.branches:
            yield f"{indent}branch {block.label}: " + ("else" if condition is None else condition.as_string)
            yield from _region(branch, inner)
    elif isinstance(block, LoopRegion):
        parts = [
            p.as_string if p else ""
            for p in (block.init_statement, block.loop_condition, block.update_statement)
        ]
        yield f"{indent}loop {block.label}: {'; '.join(parts)}"
        yield from _region(block, inner)
    else:
        yield f"{indent}{type(block).__name__} {block.label}"
        if isinstance(block, ControlFlowRegion):
            yield from _region(block, inner)


def _state(state: SDFGState, indent: str) -> Iterator[str]:
    for node in dace.sdfg.utils.dfs_topological_sort(state):
        yield from _node(node, indent)
        for edge in state.out_edges(node):
            ends = f"{_name(edge.src)}{_port(edge.src_conn)} -> {_name(edge.dst)}{_port(edge.dst_conn)}"
            yield f"{indent}  memlet {ends}: {edge.data}"


def _node(node: Any, indent: str) -> Iterator[str]:
    if isinstance(node, nodes.MapEntry):
        over = f"{', '.join(node.map.params)} in {node.map.range}"
        yield f"{indent}map {node.map.label} over {over}, {node.map.schedule.name}"
    elif isinstance(node, nodes.Tasklet):
        yield f"{indent}tasklet {node.label}"
        yield from (f"{indent}  | {line}" for line in node.code.as_string.splitlines() if line.strip())
    elif isinstance(node, nodes.NestedSDFG):
        yield f"{indent}nested {node.label}"
        yield from _sdfg(node.sdfg, indent + "  ")
    elif not isinstance(node, nodes.MapExit):
        yield f"{indent}{type(node).__name__} {_name(node)}"


def _name(node: Any) -> str:
    if isinstance(node, nodes.MapExit):
        return f"end of {node.map.label}"
    return str(node.map.label) if isinstance(node, nodes.MapEntry) else str(node.label)


def _port(connector: str | None) -> str:
    return f".{connector}" if connector else ""
