"""Bugs that DaCe once had, by the checks taken back that keep them away: named by DaCe's threads on GitHub.

Threads of the list that jace's SDFGs do not reach, and why:

    2267        write after write of two states: each array is written in one place, or updated by what reads it
    2247        overlapping writes of a loop: updates are whole-array memlets, which LoopToMap refuses before it
                compares any
    PR 1955     a read and a dead write of one transient in one state: dead equations are gone before the SDFG is there
    1561        a nested SDFG and a view lose their inputs: jace builds none of either
    1328, 1005  wrong assignments on the edges between states: jace builds none
    1694, 2182  copies of arrays removed: every copy that jace builds is a tasklet's; the only others are those of
                single elements that map fusion makes, and they stay (so of PR 625 only its check of map fusion counts)
    PR 639      its check taken back changes none of the small programs: the one of 1963 comes after it
    PR 2281     what computes a loop's condition in its body is taken for dead: the loop of `whiles` never ends, so
                that there is no result to judge

What is still wrong in this release is in corpus/README.md: a loop moved into a map, beside which it computes a carry,
gets through what PR 1018 and PR 1096 check.
"""

from __future__ import annotations

from dace.transformation.dataflow import MapFusionVertical
from dace.transformation.interstate import MoveLoopIntoMap, StateFusion

from mutants import Mutant
from mutants.plants import Plant, edited, patched

SIMPLIFY, OPTIMIZE = "canonical/simplify", "canonical/auto-optimize"


def _no_read_write_conflict(right):
    """What one state reads and the next writes is no conflict."""
    function = right.__func__

    def intersect(graph_a, group_a, inputs_a, graph_b, group_b, inputs_b):
        return inputs_a == inputs_b and function(graph_a, group_a, inputs_a, graph_b, group_b, inputs_b)

    return staticmethod(intersect)


def _no_path_is_needed(right):
    """What a state reads may be written by the next one wherever that is in it."""
    del right
    return lambda self, *args: True


def _mutant(name: str, cls: type, plant: Plant, pipeline: str, *sample: str) -> Mutant:
    programs = (*(f"small:{s}" for s in sample), "small:*")
    return Mutant(name, "history", cls.__name__, plant, programs, pipeline)


MUTANTS = [
    _mutant(
        "dace_1952_write_after_read",
        StateFusion,
        patched(StateFusion, "memlets_intersect", _no_read_write_conflict),
        SIMPLIFY,
        "carries",
    ),
    _mutant(
        "dace_1963_paths_not_followed",
        StateFusion,
        patched(StateFusion, "_check_all_paths", _no_path_is_needed),
        SIMPLIFY,
        "batched_while",
    ),
    _mutant(
        "dace_1539_subset_not_covered",
        MapFusionVertical,
        edited(
            MapFusionVertical, "partition_first_outputs", ("if producer_subset.covers(consumer_subset)", "")
        ),
        OPTIMIZE,
        "mirrored_differences",
    ),
    _mutant(
        "dace_625_stencil_in_place",
        MapFusionVertical,
        edited(
            MapFusionVertical,
            "has_read_write_dependency",
            ("if len(fused_inout_data_names) == 0:", "if True:"),
        ),
        OPTIMIZE,
        "mirrored_steps",
        "carries_in_place",
    ),
    _mutant(
        "dace_1018_body_of_two_states",
        MoveLoopIntoMap,
        edited(MoveLoopIntoMap, "can_be_applied", ("len(self.loop.nodes()) != 1 or", "")),
        OPTIMIZE,
        "carries",
    ),
    _mutant(
        "dace_1096_body_of_two_components",
        MoveLoopIntoMap,
        edited(
            MoveLoopIntoMap,
            "can_be_applied",
            ("if len(list(nx.weakly_connected_components(body._nx))) > 1: return False", ""),
        ),
        OPTIMIZE,
        "counted_rows",
    ),
]

#: Which run of which pass is guilty of each.
CULPRITS = {
    "dace_1952_write_after_read": ("simplify/FuseStates", "StateFusion"),
    "dace_1963_paths_not_followed": ("simplify/FuseStates", "StateFusion"),
    "dace_1539_subset_not_covered": ("auto-optimize/FullMapFusion", "MapFusionVertical"),
    "dace_625_stencil_in_place": ("auto-optimize/FullMapFusion", "MapFusionVertical"),
    "dace_1018_body_of_two_states": ("auto-optimize/MoveLoopIntoMap", "MoveLoopIntoMap"),
    "dace_1096_body_of_two_components": ("auto-optimize/MoveLoopIntoMap", "MoveLoopIntoMap"),
}
