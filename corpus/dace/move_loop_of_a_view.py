"""DaCe 2.0.0b1: MoveLoopIntoMap leaves an invalid SDFG where the map in the loop reads a view.

    for _ in range(2): y = 2 x.reshape(2, 3)

`MoveLoopIntoMap` (in `auto_optimize`) makes the map's body an SDFG of its own, which has the loop. The view goes with
it, and what it is a view of does not: `validate` finds an access node of a view that views nothing.

    InvalidSDFGNodeError: Ambiguous or invalid edge to/from a View access node

    python corpus/dace/move_loop_of_a_view.py        exit status 1: bug present

Found by `jace-repro fuzz` on `canonical/auto-optimize`: a reshape and a tanh in a `lax.scan`. jace's work-around
(`bug:move_loop_of_a_view` among the steps of a pipeline switches it off): a reshape in a loop is a map.
"""

import contextlib
import sys
import tempfile

import dace
from dace.sdfg.state import LoopRegion
from dace.sdfg.validation import InvalidSDFGError
from dace.transformation.interstate import MoveLoopIntoMap


def doubled():
    """y = 2 x, twice."""
    sdfg = dace.SDFG("doubled")
    sdfg.add_array("x", [6], dace.float64)
    sdfg.add_array("y", [2, 3], dace.float64)
    sdfg.add_view("v", [2, 3], dace.float64)
    loop = LoopRegion("twice", "k < 2", "k", "k = 0", "k = k + 1")
    sdfg.add_node(loop, is_start_block=True)
    state = loop.add_state(is_start_block=True)
    view = state.add_access("v")
    state.add_edge(state.add_read("x"), None, view, "views", dace.Memlet("x[0:6]"))
    state.add_mapped_tasklet(
        "double",
        {"i": "0:2", "j": "0:3"},
        {"a": dace.Memlet("v[i, j]")},
        "b = 2 * a",
        {"b": dace.Memlet("y[i, j]")},
        input_nodes={"v": view},
        external_edges=True,
    )
    return sdfg


def main():
    print("dace", dace.__version__)
    sdfg = doubled()
    sdfg.validate()
    applied = sdfg.apply_transformations(MoveLoopIntoMap, validate=False)
    print("before: valid; applied", applied, "time")
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):  # DaCe writes what is invalid there
        try:
            sdfg.validate()
        except InvalidSDFGError as error:
            print(f"after: {type(error).__name__}: {str(error).splitlines()[0]}\nbug present")
            return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
