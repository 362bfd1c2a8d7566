"""Wrong passes of DaCe's: one drops a state, reorders writes, fuses what may not be fused.

A pass that spoils the SDFG does so once in each run of a pipeline, after its own work. One that finds nothing to spoil
in a program leaves it as it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import dace
from dace.sdfg import nodes
from dace.transformation.dataflow import MapFusionVertical
from dace.transformation.interstate import LoopToMap, StateFusion
from dace.transformation.passes.array_elimination import ArrayElimination
from dace.transformation.passes.consolidate_edges import ConsolidateEdges
from dace.transformation.passes.constant_propagation import ConstantPropagation
from dace.transformation.passes.dead_dataflow_elimination import DeadDataflowElimination
from dace.transformation.passes.dead_state_elimination import DeadStateElimination
from dace.transformation.passes.fusion_inline import FuseStates, InlineSDFGs
from dace.transformation.passes.prune_symbols import RemoveUnusedSymbols
from dace.transformation.passes.scalar_to_symbol import ScalarToSymbolPromotion
from dace.transformation.passes.symbol_propagation import SymbolPropagation

import jace
from mutants import Mutant
from mutants.plants import Plant, patched

SIMPLIFY, OPTIMIZE = "canonical/simplify", "canonical/auto-optimize"

Spoil = Callable[[dace.SDFG], None]


def _after(cls: type, method: str, spoil: Spoil) -> Plant:
    """A method that spoils the SDFG the first time it ran on it."""

    @contextlib.contextmanager
    def plant() -> Iterator[None]:
        own, right = method in cls.__dict__, getattr(cls, method)
        done: list[Any] = []  # held, so that no SDFG takes the place of another

        def wrong(self: Any, graph: Any, *args: Any, **kwargs: Any) -> Any:
            result = right(self, graph, *args, **kwargs)
            sdfg = (graph if isinstance(graph, dace.SDFG) else args[0]).root_sdfg
            if any(sdfg is known for known in done):
                return result
            done.append(sdfg)
            spoil(sdfg)
            return result if method == "apply" else result or 1  # which says that something was changed

        with jace.use_rules({}):
            setattr(cls, method, wrong)
            try:
                yield
            finally:
                if own:
                    setattr(cls, method, right)
                else:
                    delattr(cls, method)

    return plant


def _tasklets(sdfg: dace.SDFG) -> list[Any]:
    return [n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.Tasklet)]


def _drop_state(sdfg: dace.SDFG) -> None:
    """What the last state computes is lost."""
    states = [s for s in sdfg.states() if any(isinstance(n, nodes.Tasklet) for n in s.nodes())]
    if states:
        states[-1].remove_nodes_from(states[-1].nodes())


def _negate_store(sdfg: dace.SDFG) -> None:
    """The last tasklet that stores an element through a memlet stores it plus one."""
    for node in reversed(_tasklets(sdfg)):
        wrong = re.sub(r"(jace::store\(\w+, )(\w+)\)", r"\1\2 + 1)", node.code.as_string, count=1)
        if wrong != node.code.as_string:
            node.code = dace.properties.CodeBlock(wrong, node.code.language)
            return


def _reverse_write(sdfg: dace.SDFG) -> None:
    """A map writes its output backwards."""
    for state in sdfg.states():
        for edge in state.edges():
            if not (isinstance(edge.src, nodes.Tasklet) and isinstance(edge.dst, nodes.MapExit)):
                continue
            ranges = dict(zip(edge.dst.map.params, edge.dst.map.range.ranges, strict=True))
            subset = edge.data.subset
            for d, (first, last, _) in enumerate(subset.ranges):
                if str(first) in ranges and first == last and ranges[str(first)][1] != 0:
                    low, high, _ = ranges[str(first)]
                    at = dace.symbolic.pystr_to_symbolic(f"{high} + {low} - {first}")
                    subset.ranges[d] = (at, at, 1)
                    return


def _shrink_map(sdfg: dace.SDFG) -> None:
    """A map misses its last element."""
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, nodes.MapEntry):
            first, last, step = node.map.range.ranges[0]
            if last != first:
                node.map.range.ranges[0] = (first, last - 1, step)
                return


def _swap_states(sdfg: dace.SDFG) -> None:
    """Two states that follow one another change places: what the second writes, the first reads or writes too.

    (Had the first written what the second reads, DaCe would find that nobody reads it, and refuse.)
    """
    for region in sdfg.all_control_flow_regions():
        for edge in region.edges():
            one, two = edge.src, edge.dst
            both = [isinstance(s, dace.SDFGState) and s.number_of_nodes() for s in (one, two)]
            if not all(both) or not _writes(two) & (_reads(one) | _writes(one)):
                continue
            before, after = region.in_edges(one), region.out_edges(two)
            start = region.start_block is one
            for e in (*before, edge, *after):
                region.remove_edge(e)
            for e in before:
                region.add_edge(e.src, two, e.data)
            region.add_edge(two, one, edge.data)
            for e in after:
                region.add_edge(one, e.dst, e.data)
            if start:
                region.start_block = region.node_id(two)
            sdfg.reset_cfg_list()
            return


def _reads(state: Any) -> set[str]:
    return {n.data for n in state.data_nodes() if state.out_degree(n)}


def _writes(state: Any) -> set[str]:
    return {n.data for n in state.data_nodes() if state.in_degree(n)}


def _always(right: Any) -> Any:
    """A transformation that may be applied wherever it matches."""
    del right
    return lambda self, *args, **kwargs: True


def _mutant(name: str, cls: type, plant: Plant, pipeline: str, *sample: str) -> Mutant:
    programs = (*(f"small:{s}" for s in sample), "small:*")
    return Mutant(name, "passes", cls.__name__, plant, programs, pipeline)


def _spoiled(cls: type, spoil: Spoil, pipeline: str = SIMPLIFY, method: str = "apply_pass") -> Mutant:
    name = f"{cls.__name__}{spoil.__name__}" + ("_when_optimizing" if pipeline == OPTIMIZE else "")
    likely = (
        ("updates_in_place", "scatters", "carries") if spoil is _swap_states else ("elementwise", "scans")
    )
    return _mutant(name, cls, _after(cls, method, spoil), pipeline, *likely)


MUTANTS = [
    _spoiled(StateFusion, _drop_state, method="apply"),
    _spoiled(StateFusion, _shrink_map, method="apply"),
    _spoiled(StateFusion, _negate_store, method="apply"),
    _spoiled(FuseStates, _reverse_write),
    _spoiled(InlineSDFGs, _swap_states),
    _spoiled(InlineSDFGs, _drop_state),
    _spoiled(ConsolidateEdges, _drop_state),
    _spoiled(ConsolidateEdges, _reverse_write),
    _spoiled(DeadStateElimination, _negate_store),
    _spoiled(DeadStateElimination, _drop_state),
    _spoiled(DeadDataflowElimination, _shrink_map),
    _spoiled(ArrayElimination, _reverse_write),
    _spoiled(ScalarToSymbolPromotion, _swap_states),
    _spoiled(ConstantPropagation, _negate_store),
    _spoiled(SymbolPropagation, _shrink_map),
    _spoiled(RemoveUnusedSymbols, _drop_state),
    _spoiled(MapFusionVertical, _negate_store, OPTIMIZE, "apply"),
    _spoiled(MapFusionVertical, _shrink_map, OPTIMIZE, "apply"),
    _spoiled(ConsolidateEdges, _negate_store, OPTIMIZE),
    _mutant(
        "StateFusion_fuses_anything", StateFusion, patched(StateFusion, "can_be_applied", _always), SIMPLIFY,
        "updates_in_place", "scans",
    ),
    _mutant(
        "LoopToMap_takes_any_loop", LoopToMap, patched(LoopToMap, "can_be_applied", _always), OPTIMIZE,
        "scans", "carries_in_place",
    ),
    _mutant(
        "MapFusion_fuses_anything", MapFusionVertical,
        patched(MapFusionVertical, "can_be_applied", _always), OPTIMIZE, "mirrored_differences", "elementwise",
    ),
]  # fmt: skip
