"""DaCe 2.0.0b1: StateAssignElimination takes an assignment away that a loop's next iteration reads.

    while k < 3: ...; k = k + 1; out[k] = 1        becomes        while k < 3: ...; out[k + 1] = 1

The state after the assignment is the last of the loop's body and has no successor there: the pass takes it for the end
of the program, puts the value into it and into the condition, and removes the assignment. The loop never ends.

    python corpus/dace/state_assign_of_a_loop.py        prints the assignments; exit status 1: bug present

Found by `canonical/simplify+xform:StateAssignElimination`: a loop does not end.
"""

import sys

import dace
from dace.sdfg.state import LoopRegion
from dace.transformation.interstate import StateAssignElimination


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("state_assign_of_a_loop")
    sdfg.add_array("out", [4], dace.int64)
    sdfg.add_symbol("k", dace.int64)
    loop = LoopRegion("loop", "k < 3")
    sdfg.add_node(loop, is_start_block=True)
    body, end = loop.add_state("body", is_start_block=True), loop.add_state("end")
    for state, index in ((body, "0"), (end, "k")):
        tasklet = state.add_tasklet("set", {}, {"y"}, "y = 1")
        state.add_edge(tasklet, "y", state.add_write("out"), None, dace.Memlet(f"out[{index}]"))
    loop.add_edge(body, end, dace.InterstateEdge(assignments={"k": "k + 1"}))
    sdfg.validate()
    applied = sdfg.apply_transformations(StateAssignElimination)
    assigned = [edge.data.assignments for edge in sdfg.all_interstate_edges()]
    print(
        f"applied {applied} times; the loop goes on while {loop.loop_condition.as_string}; set are {assigned}"
    )
    present = not any("k" in assignments for assignments in assigned)
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
