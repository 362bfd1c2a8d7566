"""Passes as users write them, each with a mistake that one makes."""

from typing import Any

import dace
from dace import nodes
from dace.transformation import pass_pipeline
from dace.transformation.dataflow import MapTiling
from dace.transformation.interstate import LoopToMap


def interchange(sdfg: dace.SDFG) -> None:
    """Exchanges the ranges of a map's first two dimensions, and leaves their names where they are."""
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, nodes.MapEntry) and len(node.map.params) > 1:
            ranges = node.map.range.ranges
            ranges[0], ranges[1] = ranges[1], ranges[0]


#: Tiles as if every extent were even.
tile_by_two = MapTiling()
tile_by_two.tile_sizes = (2,)
tile_by_two.divides_evenly = True


def forget_resolution(sdfg: dace.SDFG) -> None:
    """Drops write-conflict resolutions: "the map is sequential"."""
    for edge, _ in sdfg.all_edges_recursive():
        if isinstance(edge.data, dace.Memlet):
            edge.data.wcr = None


class EveryLoopToMap(LoopToMap):
    """Takes every loop for a parallel one."""

    def can_be_applied(self, graph: Any, expr_index: int, sdfg: dace.SDFG, permissive: bool = False) -> bool:
        return super().can_be_applied(graph, expr_index, sdfg, permissive=True)


class FirstWriteOnly(pass_pipeline.Pass):
    """Takes a container that is written in several states for one that is written once: the later ones are dropped."""

    def modifies(self) -> pass_pipeline.Modifies:
        return pass_pipeline.Modifies.Everything

    def should_reapply(self, modified: pass_pipeline.Modifies) -> bool:
        return False

    def apply_pass(self, sdfg: dace.SDFG, results: dict[str, Any]) -> int | None:
        written: set[str] = set()
        dropped = 0
        for state in sdfg.states():
            sinks = {n.data for n in state.sink_nodes() if isinstance(n, nodes.AccessNode)}
            if sinks and sinks <= written:
                state.remove_nodes_from(state.nodes())
                dropped += 1
            written |= sinks
        return dropped or None


PASSES = ("interchange", "tile_by_two", "forget_resolution", "EveryLoopToMap", "FirstWriteOnly")
