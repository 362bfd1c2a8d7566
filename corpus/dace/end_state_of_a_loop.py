"""DaCe 2.0.0b1: EndStateElimination takes an assignment away that a loop's next iteration reads.

    while k < 3: ...; t = k + 1; k = t        becomes        while k < 3: ...; t = k + 1

The empty state after the assignment is the last of the loop's body and has no successor there: the pass removes it with
the edge that leads to it, as if the program ended. The loop never does.

    python corpus/dace/end_state_of_a_loop.py        prints the assignments; exit status 1: bug present

Found by `canonical/simplify+xform:EndStateElimination`: a rejection loop does not end.
"""

import sys

import dace
from dace.sdfg.state import LoopRegion
from dace.transformation.interstate import EndStateElimination


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("end_state_of_a_loop")
    sdfg.add_array("out", [1], dace.int64)
    sdfg.add_transient("t", [1], dace.int64)
    sdfg.add_symbol("k", dace.int64)
    loop = LoopRegion("loop", "k < 3")
    sdfg.add_node(loop, is_start_block=True)
    body, end = loop.add_state("body", is_start_block=True), loop.add_state("end")
    for array in ("t", "out"):
        tasklet = body.add_tasklet("step", {}, {"y"}, "y = k + 1")
        body.add_edge(tasklet, "y", body.add_write(array), None, dace.Memlet(f"{array}[0]"))
    loop.add_edge(body, end, dace.InterstateEdge(assignments={"k": "t[0]"}))
    sdfg.validate()
    applied = sdfg.apply_transformations(EndStateElimination)
    assigned = [edge.data.assignments for edge in sdfg.all_interstate_edges()]
    print(
        f"applied {applied} times; the loop goes on while {loop.loop_condition.as_string}; set are {assigned}"
    )
    present = not any("k" in assignments for assignments in assigned)
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
