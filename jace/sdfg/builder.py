"""A plan becomes an SDFG: one state a kernel, loop and conditional regions, explicit memlets everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dace
from dace.properties import CodeBlock
from dace.sdfg.state import ConditionalBlock, ControlFlowRegion, LoopRegion

from jace import known_bugs
from jace.dtypes import ctype, dace_name
from jace.plan.index import ZERO, Ix
from jace.plan.ops import (
    Access,
    Assign,
    Box,
    Branch,
    Buffer,
    Call,
    Copy,
    Kernel,
    Loop,
    Nested,
    Op,
    Plan,
    Span,
)
from jace.sdfg import library, sizes


def _dace_type(buffer: Buffer) -> Any:
    return getattr(dace, dace_name(buffer.dtype))


def _connector_type(access: Access) -> Any:
    kind = _dace_type(access.buffer)
    return dace.pointer(kind) if access.subset is None else kind


def _debug_info(op: Kernel | Call | Nested | Copy) -> Any:
    """The user's line behind an operation. Always given: DaCe would else inspect the Python stack for every node."""
    for source in op.sources:
        file, _, rest = source.partition(":")
        line = rest.split(" ")[0]
        if line.isdigit():
            return dace.dtypes.DebugInfo(int(line), filename=file)
    return dace.dtypes.DebugInfo(0)


class _Builder:
    def __init__(
        self, sdfg: dace.SDFG, met: frozenset[str], count: int, notes: dict[str, str], symbolic: bool
    ) -> None:
        self.sdfg = sdfg
        self.met = met
        self.count = count
        self.notes = notes
        self.symbolic = symbolic

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    # -- what memlets, maps and loops say of extents -------------------------------------------------------

    def extent(self, extent: int) -> Any:
        """An extent as the SDFG has it."""
        return sizes.symbol(self.sdfg, extent) if self.symbolic else extent

    def whole(self, buffer: Buffer) -> dace.subsets.Range:
        return dace.subsets.Range([(0, self.extent(extent) - 1, 1) for extent in buffer.shape or (1,)])

    def box(self, box: Box) -> str:
        """A part as the text of a subset."""

        def end(ix: Ix, extent: int) -> str:
            if not self.symbolic:
                return str(ix + extent)
            return str(self.extent(extent)) if ix == ZERO else f"{ix} + {self.extent(extent)}"

        parts = zip(box.begin, box.shape, strict=True)
        return ", ".join(str(ix) if n == 1 else f"{ix}:{end(ix, n)}" for ix, n in parts) or "0"

    def part(self, span: Span) -> dace.Memlet:
        return dace.Memlet(data=span.buffer.name, subset=self.box(Box.of(span.ref)))

    def inner_memlet(self, access: Access) -> dace.Memlet:
        if access.subset is None:
            volume = {"volume": 1} if access.indirect else {"dynamic": True}
            return dace.Memlet(data=access.buffer.name, subset=self.whole(access.buffer), **volume)
        subset = ", ".join(map(str, access.subset)) or "0"
        return dace.Memlet(data=access.buffer.name, subset=subset, wcr=access.wcr or None)

    def outer_memlet(self, access: Access, params: dict[str, int]) -> dace.Memlet:
        """The memlet outside of the map: dimensions indexed by a map parameter in full, others as they are."""
        data, wcr = access.buffer.name, access.wcr or None
        if access.subset is None or not access.buffer.shape:
            return dace.Memlet(data=data, subset=self.whole(access.buffer), wcr=wcr)
        parts = [
            f"0:{self.extent(extent)}" if any(s in params for s in ix.symbols) else str(ix)
            for ix, extent in zip(access.subset, access.buffer.shape, strict=True)
        ]
        return dace.Memlet(data=data, subset=", ".join(parts), wcr=wcr)

    # -- operations ----------------------------------------------------------------------------------------

    def sequence(self, region: Any, ops: Iterable[Op]) -> None:
        """Append operations to a control flow region, in order."""
        last = None
        for op in ops:
            if isinstance(op, Assign) and last is None:
                last = region.add_state(self.name("empty"), is_start_block=True)
            block = self.block(region, op, is_start=last is None)
            if last is not None:
                assignments = {op.symbol: f"{op.buffer.name}[0]"} if isinstance(op, Assign) else {}
                region.add_edge(last, block, dace.InterstateEdge(assignments=assignments))
            last = block
        if last is None:
            region.add_state(self.name("empty"), is_start_block=True)

    def block(self, region: Any, op: Op, is_start: bool) -> Any:
        if isinstance(op, Assign):
            self.sdfg.add_symbol(op.symbol, dace.int64)
            if op.note:
                self.notes[op.symbol] = op.note
            return region.add_state(self.name(op.label))
        if isinstance(op, Kernel | Call | Nested | Copy):
            state = region.add_state(self.name("s"), is_start_block=is_start)
            if op.note:
                self.notes[state.label] = op.note
            if isinstance(op, Kernel):
                self.kernel(state, op)
            elif isinstance(op, Call):
                self.call(state, op)
            elif isinstance(op, Nested):
                self.nested(state, op)
            else:
                self.copy(state, op)
            return state
        if isinstance(op, Loop):
            if op.condition is not None:
                loop = LoopRegion(self.name(op.label), f"{op.condition.name}[0]")
            else:
                s = op.symbol
                end = self.extent(op.extent)
                loop = LoopRegion(self.name(op.label), f"{s} < {end}", s, f"{s} = 0", f"{s} = {s} + 1")
            region.add_node(loop, is_start_block=is_start)
            self.sequence(loop, op.body)
            return loop
        return self.branch(region, op, is_start)

    def branch(self, region: Any, op: Branch, is_start: bool) -> Any:
        block = ConditionalBlock(self.name(op.label))
        region.add_node(block, is_start_block=is_start)
        last = len(op.bodies) - 1
        for k, body in enumerate(op.bodies):
            inner = ControlFlowRegion(self.name(f"{op.label}_{k}"), sdfg=self.sdfg)
            condition = None if k == last else CodeBlock(f"{op.index.name}[0] == {k}")
            block.add_branch(condition, inner)
            self.sequence(inner, body)
        return block

    def copy(self, state: Any, op: Copy) -> None:
        where = _debug_info(op)
        source = state.add_read(op.source.buffer.name, where)
        target = state.add_write(op.target.buffer.name, where)
        if not op.viewed:
            memlet = dace.Memlet(
                data=op.source.buffer.name, subset=self.box(op.source), other_subset=self.box(op.target)
            )
            state.add_edge(source, None, target, None, memlet)
            return
        shape = tuple(map(self.extent, op.target.shape or (1,)))
        name, _ = self.sdfg.add_view(self.name("v"), shape, _dace_type(op.target.buffer))
        view = state.add_access(name, where)
        state.add_edge(
            source, None, view, "views", dace.Memlet(data=op.source.buffer.name, subset=self.box(op.source))
        )
        whole = ", ".join(f"0:{extent}" for extent in shape)
        memlet = dace.Memlet(data=op.target.buffer.name, subset=self.box(op.target), other_subset=whole)
        state.add_edge(view, None, target, None, memlet)

    def call(self, state: Any, op: Call) -> None:
        where = _debug_info(op)
        node = library.NODES[op.node](self.name(op.label), dict(op.properties))
        node.debuginfo = where
        state.add_node(node)
        for span in op.reads:
            if span.connector:
                node.add_in_connector(span.connector)
        for span in op.writes:
            if span.connector:
                node.add_out_connector(span.connector)
        self.connect(state, node, op, where)

    def nested(self, state: Any, op: Nested) -> None:
        where = _debug_info(op)
        # labels of states and tasklets go on from those outside: notes are found by them
        arrays = _with_arrays(self.name(op.label), op.plan, symbolic=self.symbolic)
        inner = _Builder(arrays, self.met, self.count, self.notes, self.symbolic)
        inner.sequence(inner.sdfg, op.plan.ops)
        self.count = inner.count
        ins, outs = ({span.connector: None for span in side} for side in (op.reads, op.writes))
        node = state.add_nested_sdfg(inner.sdfg, ins, outs, debuginfo=where)
        self.connect(state, node, op, where)
        node.integrate_into_parent()

    def connect(self, state: Any, node: Any, op: Call | Nested, where: Any) -> None:
        """Edges between a node and the arrays behind its connectors."""
        for span in op.reads:
            source = state.add_read(span.buffer.name, where)
            state.add_edge(source, None, node, span.connector or None, self.part(span))
        for span in op.writes:
            target = state.add_write(span.buffer.name, where)
            state.add_edge(node, span.connector or None, target, None, self.part(span))

    def kernel(self, state: Any, op: Kernel) -> None:
        label = op.label.replace("-", "_")
        where = _debug_info(op)
        ins, outs = ({a.connector: _connector_type(a) for a in side} for side in (op.reads, op.writes))
        if op.routine:
            sizes = {a.connector: (ctype(a.buffer.dtype), max(1, a.buffer.size)) for a in op.writes}
            own = sizes if known_bugs.goes_round("dead_pointer", self.met) else {}
            tasklet = library.routine(self.name(label), ins, outs, op.code, own)
            state.add_node(tasklet)
        else:
            language = dace.Language.Python if op.python else dace.Language.CPP
            tasklet = state.add_tasklet(
                self.name(label), ins, outs, op.code, language=language, debuginfo=where
            )
        tasklet.debuginfo = where  # DaCe drops it when it is told not to inspect the Python stack
        if op.note:
            self.notes[tasklet.label] = op.note
        read_nodes = {n: state.add_read(n, where) for n in dict.fromkeys(a.buffer.name for a in op.reads)}
        write_nodes = {n: state.add_write(n, where) for n in dict.fromkeys(a.buffer.name for a in op.writes)}
        if not op.ranges:
            for a in op.reads:
                state.add_edge(read_nodes[a.buffer.name], None, tasklet, a.connector, self.inner_memlet(a))
            for a in op.writes:
                state.add_edge(tasklet, a.connector, write_nodes[a.buffer.name], None, self.inner_memlet(a))
            return
        entry, exit_ = state.add_map(
            self.name("m"),
            {p: f"0:{self.extent(extent)}" for p, extent in op.ranges},
            schedule=dace.ScheduleType.CPU_Multicore if op.parallel else dace.ScheduleType.Sequential,
            debuginfo=where,
        )
        entry.map.debuginfo = where
        params = dict(op.ranges)
        self.thread(state, op.reads, read_nodes, entry, tasklet, params, into=True)
        self.thread(state, op.writes, write_nodes, exit_, tasklet, params, into=False)

    def thread(
        self,
        state: Any,
        accesses: tuple[Access, ...],
        nodes: dict[str, Any],
        scope: Any,
        tasklet: Any,
        params: dict[str, int],
        *,
        into: bool,
    ) -> None:
        """Edges between access nodes and the tasklet through a map entry (`into`) or exit."""
        if not accesses:
            ends = (scope, tasklet) if into else (tasklet, scope)
            state.add_nedge(*ends, dace.Memlet())
        connected: set[str] = set()
        for a in accesses:
            name, outside, inside = a.buffer.name, f"IN_{a.buffer.name}", f"OUT_{a.buffer.name}"
            if not into:
                # every store gets its own connector pair: a map exit merges nothing
                outside, inside = f"OUT_{a.connector}", f"IN_{a.connector}"
                scope.add_in_connector(inside)
                scope.add_out_connector(outside)
                state.add_edge(tasklet, a.connector, scope, inside, self.inner_memlet(a))
                state.add_edge(scope, outside, nodes[name], None, self.outer_memlet(a, params))
                continue
            if name not in connected:
                connected.add(name)
                scope.add_in_connector(outside)
                scope.add_out_connector(inside)
                several = sum(other.buffer.name == name for other in accesses) > 1
                memlet = (
                    dace.Memlet(data=name, subset=self.whole(a.buffer))
                    if several
                    else self.outer_memlet(a, params)
                )
                state.add_edge(nodes[name], None, scope, outside, memlet)
            state.add_edge(scope, inside, tasklet, a.connector, self.inner_memlet(a))


def _with_arrays(
    name: str,
    plan: Plan,
    lifetime: dace.AllocationLifetime = dace.AllocationLifetime.SDFG,
    *,
    symbolic: bool = False,
) -> dace.SDFG:
    """An SDFG with the buffers of a plan and no state."""
    sdfg = dace.SDFG(name)
    own = {"transient": True, "lifetime": lifetime}
    for buffer in (*plan.inputs, *plan.outputs, *plan.temps):
        shape = [sizes.symbol(sdfg, extent) if symbolic else extent for extent in buffer.shape] or [1]
        sdfg.add_array(buffer.name, shape, _dace_type(buffer), **(own if buffer.kind == "temp" else {}))
    return sdfg


def build_sdfg(
    name: str,
    plan: Plan,
    *,
    persistent: bool,
    symbolic: bool = False,
    met: frozenset[str] = frozenset(),
    notes: dict[str, str] | None = None,
) -> dace.SDFG:
    """The SDFG of a plan.

    Args:
        name: a C identifier.
        persistent: keep temporaries from call to call (in the state struct) instead of allocating each time.
        symbolic: extents are symbols (`jace.sdfg.sizes`).
        met: the bugs of DaCe's that are not gone round.
        notes: what is known of the equation of a tasklet, state or symbol is put there, by its label (annotated
            builds).
    """
    lifetime = dace.AllocationLifetime.Persistent if persistent else dace.AllocationLifetime.SDFG
    sdfg = _with_arrays(name, plan, lifetime, symbolic=symbolic)
    _Builder(sdfg, met, 0, {} if notes is None else notes, symbolic).sequence(sdfg, plan.ops)
    return sdfg
