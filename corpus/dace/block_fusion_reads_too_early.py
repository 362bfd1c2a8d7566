"""DaCe 2.0.0b1: BlockFusion moves an assignment that reads an array before the state that writes it.

    edge    j = 0                       edge    j = 0, k = t[0]
    state   t[0] = 1                    state   t[0] = 1
    edge    k = t[0]        becomes
    state   (empty)
    state   out[k] = 7                  state   out[k] = 7

Of a block and an empty one after it the pass makes one, and what is set on the edge between them is set on the edge
into the first. It asks whether the block reads the symbols, and not whether it writes the data that they are set to.

    python corpus/dace/block_fusion_reads_too_early.py        prints the edges; exit status 1: bug present

Found by `canonical/xform:BlockFusion`: a `dynamic_update_slice` writes where memory that nobody has written says.
"""

import sys

import dace
from dace.transformation.interstate.block_fusion import BlockFusion


def writes(state, array, index, value):
    tasklet = state.add_tasklet("write", {}, {"x"}, f"x = {value}")
    state.add_edge(tasklet, "x", state.add_write(array), None, dace.Memlet(f"{array}[{index}]"))


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("block_fusion_reads_too_early")
    sdfg.add_array("out", [2], dace.int64)
    sdfg.add_transient("t", [1], dace.int64)
    for name in "jk":
        sdfg.add_symbol(name, dace.int64)
    first, computed, empty, stored = (
        sdfg.add_state(name, is_start_block=name == "first")
        for name in ("first", "computed", "empty", "stored")
    )
    writes(first, "out", 0, 1)
    writes(computed, "t", 0, 1)
    writes(stored, "out", "k", 7)
    sdfg.add_edge(first, computed, dace.InterstateEdge(assignments={"j": "0"}))
    sdfg.add_edge(computed, empty, dace.InterstateEdge(assignments={"k": "t[0]"}))
    sdfg.add_edge(empty, stored, dace.InterstateEdge())
    sdfg.validate()
    sdfg.apply_transformations_repeated(BlockFusion)
    early = False
    for edge in sdfg.edges():
        print(f"{edge.src.label} -> {edge.dst.label}: {edge.data.assignments}")
        written = {node.data for node in edge.src.data_nodes() if edge.src.in_degree(node)}
        early |= "t[0]" in edge.data.assignments.values() and "t" not in written
    print("bug present" if early else "bug not shown")
    return int(early)


if __name__ == "__main__":
    sys.exit(main())
