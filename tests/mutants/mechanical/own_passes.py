"""Passes of a user's own, of each kind that a pipeline takes: each takes sums for differences and the other way round.

All of `EVEN` together change nothing. Where one is left out, or runs twice, a sum is wrong.
"""

from __future__ import annotations

from typing import Any

import dace
from dace.sdfg import utils
from dace.transformation import pass_pipeline
from dace.transformation import transformation as xf


def turn(tasklet: dace.nodes.Tasklet) -> None:
    """Take a tasklet's sums for differences, and its differences for sums."""
    swapped = {" + ": " - ", " - ": " + "}
    for before, after in swapped.items():
        if before in tasklet.code.as_string:
            tasklet.code.as_string = tasklet.code.as_string.replace(before, after)
            return


def turned(sdfg: dace.SDFG) -> None:
    """A function."""
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.Tasklet):
            turn(node)


class Turned(pass_pipeline.Pass):
    """A pass."""

    def modifies(self) -> pass_pipeline.Modifies:
        return pass_pipeline.Modifies.Tasklets

    def should_reapply(self, modified: pass_pipeline.Modifies) -> bool:
        return False

    def apply_pass(self, sdfg: dace.SDFG, results: dict[str, Any]) -> int:
        turned(sdfg)
        return 1


class TurnedOne(xf.SingleStateTransformation):
    """A transformation of one tasklet."""

    tasklet = xf.PatternNode(dace.nodes.Tasklet)

    @classmethod
    def expressions(cls) -> list[Any]:
        return [utils.node_path_graph(cls.tasklet)]

    def can_be_applied(self, graph: Any, expr_index: int, sdfg: dace.SDFG, permissive: bool = False) -> bool:
        return True

    def apply(self, graph: Any, sdfg: dace.SDFG) -> None:
        turn(self.tasklet)


class TurnedState(xf.SubgraphTransformation):
    """A transformation of a subgraph."""

    def can_be_applied(self, sdfg: dace.SDFG, subgraph: Any) -> bool:
        return any(isinstance(node, dace.nodes.Tasklet) for node in subgraph.nodes())

    def apply(self, sdfg: dace.SDFG) -> None:
        for node in self.subgraph_view(sdfg).nodes():
            if isinstance(node, dace.nodes.Tasklet):
                turn(node)


EVEN: list[Any] = [turned, [Turned, TurnedOne], Turned(), turned, TurnedOne(), TurnedState, turned]
ODD: list[Any] = EVEN[1:]
