"""An SDFG as indented text: its arrays, then states, loops and branches, with maps, tasklets and memlets inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import dace
from dace.sdfg.state import ConditionalBlock, LoopRegion, SDFGState
from dace.sdfg.utils import dfs_topological_sort

from jace.sdfg.library import Routine

_STEP = "  "


def describe(sdfg: dace.SDFG, roles: Mapping[str, str] | None = None, *, lines: bool = False) -> str:
    """The text of an SDFG.

    Args:
        sdfg: any, DaCe's transformations applied or not.
        roles: what arrays are to the caller: "input x", "output".
        lines: with the user's source line of each map and tasklet.
    """
    return "\n".join(_Text(lines).sdfg(sdfg, roles or {})) + "\n"


def _indented(lines: Iterator[str] | list[str]) -> Iterator[str]:
    return (_STEP + line for line in lines)


class _Text:
    def __init__(self, lines: bool) -> None:
        self._lines = lines

    def sdfg(self, sdfg: Any, roles: Mapping[str, str]) -> Iterator[str]:
        yield f"sdfg {sdfg.name}"
        yield from _indented(self._arrays(sdfg, roles))
        yield from _indented(self._region(sdfg))

    def _arrays(self, sdfg: Any, roles: Mapping[str, str]) -> Iterator[str]:
        if not sdfg.arrays:
            return
        width = max(map(len, sdfg.arrays))
        for name, desc in sdfg.arrays.items():
            role = roles.get(name) or ("temporary" if desc.transient else "argument")
            yield f"{name:{width}}  {_type(desc):20} {role}"

    def _region(self, region: Any) -> Iterator[str]:
        """The blocks of a control flow region in the order in which they run, and the edges that say more than that."""
        blocks = list(dfs_topological_sort(region, [region.start_block]))
        follow = dict(zip(blocks, [*blocks[1:], None], strict=True))
        for block in blocks:
            yield from self._block(block)
            edges = region.out_edges(block)
            for edge in edges:
                if len(edges) > 1 or edge.dst is not follow[block] or edge.data.assignments:
                    yield _jump(edge)

    def _block(self, block: Any) -> Iterator[str]:
        if isinstance(block, SDFGState):
            yield f"state {block.label}"
            yield from _indented(self._scope(block, None))
        elif isinstance(block, LoopRegion):
            yield f"loop {block.label}: {_loop(block)}"
            yield from _indented(self._region(block))
        elif isinstance(block, ConditionalBlock):
            yield f"branch {block.label}"
            for condition, body in block.branches:
                yield _STEP + ("else" if condition is None else f"if {condition.as_string}")
                yield from _indented(_indented(self._region(body)))
        elif isinstance(block, dace.sdfg.state.ControlFlowRegion):
            yield f"region {block.label}"
            yield from _indented(self._region(block))
        else:  # break, continue, return
            yield type(block).__name__.removesuffix("Block").lower()

    def _scope(self, state: Any, entry: Any) -> Iterator[str]:
        """The nodes directly inside of a map, or of a state, in an order in which they may run."""
        inside = set(state.scope_children()[entry])
        for node in dfs_topological_sort(state):
            if node in inside:
                yield from self._node(state, node)

    def _node(self, state: Any, node: Any) -> Iterator[str]:
        if isinstance(node, dace.nodes.AccessNode):
            for edge in state.out_edges(node):
                if isinstance(edge.dst, dace.nodes.AccessNode):
                    yield f"copy {edge.data} -> {edge.dst.data}{_other(edge.data)}"
            return
        if isinstance(node, dace.nodes.ExitNode):
            return
        yield self._head(node)
        ends = state.exit_node(node) if isinstance(node, dace.nodes.EntryNode) else node
        yield from _indented([f"in  {_named(e.dst_conn)}{_memlet(e)}" for e in _data(state.in_edges(node))])
        yield from _indented([f"out {_named(e.src_conn)}{_memlet(e)}" for e in _data(state.out_edges(ends))])
        if isinstance(node, dace.nodes.EntryNode):
            yield from _indented(self._scope(state, node))
        elif isinstance(node, dace.nodes.NestedSDFG):
            yield from _indented(self.sdfg(node.sdfg, {}))
        elif isinstance(node, dace.nodes.Tasklet | Routine):
            code = node.code if isinstance(node, Routine) else node.code.as_string
            yield from _indented([f"| {line}" for line in code.splitlines()])

    def _head(self, node: Any) -> str:
        if isinstance(node, dace.nodes.MapEntry):
            ranges = zip(node.map.params, node.map.range, strict=True)
            text = f"map {node.map.label}: " + ", ".join(f"{p} in {_range(r)}" for p, r in ranges)
            if node.map.schedule == dace.ScheduleType.CPU_Multicore:
                text += ", in parallel"
        else:
            text = f"{_KINDS.get(type(node).__name__, type(node).__name__)} {node.label}"
        where = node.debuginfo
        if self._lines and where is not None and where.filename:
            text += f"  # {where.filename}:{where.start_line}"
        return text


_KINDS = {"Tasklet": "tasklet", "NestedSDFG": "nested", "Routine": "routine"}


def _type(desc: Any) -> str:
    shape = ", ".join(map(str, desc.shape))
    return f"{desc.dtype.to_string()}[{shape}]"


def _range(extent: Any) -> str:
    first, last, step = extent
    return f"{first}:{last + 1}" + (f":{step}" if step != 1 else "")


def _loop(loop: Any) -> str:
    condition = loop.loop_condition.as_string
    if loop.init_statement is None or loop.update_statement is None:
        return f"while {condition}"
    return f"for {loop.init_statement.as_string}; {condition}; {loop.update_statement.as_string}"


def _jump(edge: Any) -> str:
    set_ = ", ".join(f"{name} = {value}" for name, value in edge.data.assignments.items())
    condition = "" if edge.data.is_unconditional() else f" if {edge.data.condition.as_string}"
    return f"go to {edge.dst.label}{condition}" + (f" with {set_}" if set_ else "")


def _data(edges: Any) -> list[Any]:
    """Edges that carry data, each connector and memlet once."""
    kept = {(e.src_conn, e.dst_conn, str(e.data)): e for e in edges if e.data.data is not None}
    return sorted(kept.values(), key=lambda e: (str(e.dst_conn), str(e.src_conn)))


def _named(connector: str | None) -> str:
    """A tasklet's name for an array; the connectors of a map say nothing that the memlet does not."""
    return "" if connector is None or connector.startswith(("IN_", "OUT_")) else f"{connector} = "


def _memlet(edge: Any) -> str:
    memlet = edge.data
    text = f"{memlet.data}[{memlet.subset}]"
    if memlet.wcr is not None:
        text += f" updated by {memlet.wcr}"
    return text


def _other(memlet: Any) -> str:
    return "" if memlet.other_subset is None else f"[{memlet.other_subset}]"
