"""DaCe 2.0.0b1: ScalarFission gives a scalar's writes names of their own, and leaves the old one in a loop's condition.

    go[0] = a[0] > 0                     go_0[0] = a[0] > 0
    b[0] = go[0]                         b[0] = go_0[0]
    go[0] = a[0] > 1                     go_1[0] = a[0] > 1
    while go[0]: ... go[0] = False       while go[0]: ... go_1[0] = False

Nobody writes `go` any more: the loop's condition is of memory that nobody has written, or that is not there.

    python corpus/dace/scalar_fission_loop_condition.py        prints both; exit status 1: bug present

Found by `canonical/xform:ScalarFission`: a `while_loop` does not compile.
"""

import sys

import dace
from dace.sdfg.state import LoopRegion
from dace.transformation import pass_pipeline
from dace.transformation.passes.scalar_fission import ScalarFission


def compares(state, text):
    tasklet = state.add_tasklet("compare", {"x"}, {"y"}, f"y = {text}")
    state.add_edge(state.add_read("a"), None, tasklet, "x", dace.Memlet("a[0]"))
    state.add_edge(tasklet, "y", state.add_write("go"), None, dace.Memlet("go[0]"))


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("scalar_fission_loop_condition")
    sdfg.add_array("a", [1], dace.int64)
    sdfg.add_array("b", [1], dace.bool_)
    sdfg.add_transient("go", [1], dace.bool_)
    first = sdfg.add_state("first", is_start_block=True)
    compares(first, "x > 0")
    kept = sdfg.add_state_after(first, "kept")
    kept.add_edge(kept.add_read("go"), None, kept.add_write("b"), None, dace.Memlet("go[0] -> [0]"))
    again = sdfg.add_state_after(kept, "again")
    compares(again, "x > 1")
    loop = LoopRegion("loop", "go[0]")
    sdfg.add_node(loop)
    sdfg.add_edge(again, loop, dace.InterstateEdge())
    compares(loop.add_state("body", is_start_block=True), "x > 2")
    sdfg.validate()
    pass_pipeline.Pipeline([ScalarFission()]).apply_pass(sdfg, {})
    written = {node.data for state in sdfg.states() for node in state.data_nodes() if state.in_degree(node)}
    condition = loop.loop_condition.as_string
    print(f"the loop goes on while {condition}; written are {sorted(written)}")
    present = condition.partition("[")[0] not in written
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
