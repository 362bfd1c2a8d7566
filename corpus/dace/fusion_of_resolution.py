"""DaCe 2.0.0b1: SubgraphFusion adds to memory that nobody has set, where a map adds up by write-conflict resolution.

    for i in 0:3: s[i] = 0
    (next state)
    for i in 0:3, k in 0:4: s[i] += a[i, k]
    for i in 0:3: b[i] = s[i]

The two maps become one over i; a number of its own takes the place of s[i] there, and does not begin with 0.

    python corpus/dace/fusion_of_resolution.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:CompositeFusion`: a convolution.
"""

import sys

import dace
from dace.sdfg.graph import SubgraphView
from dace.transformation.subgraph.composite import CompositeFusion


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("fusion_of_resolution")
    sdfg.add_array("a", [3, 4], dace.float64)
    sdfg.add_array("b", [3], dace.float64)
    sdfg.add_transient("s", [3], dace.float64)
    first = sdfg.add_state(is_start_block=True)
    first.add_mapped_tasklet(
        "start", {"i": "0:3"}, {}, "y = 0", {"y": dace.Memlet("s[i]")}, external_edges=True
    )
    state = sdfg.add_state_after(first)
    s = state.add_access("s")
    state.add_mapped_tasklet(
        "add",
        {"i": "0:3", "k": "0:4"},
        {"x": dace.Memlet("a[i, k]")},
        "y = x",
        {"y": dace.Memlet("s[i]", wcr="lambda p, q: p + q")},
        external_edges=True,
        output_nodes={"s": s},
    )
    state.add_mapped_tasklet(
        "store",
        {"j": "0:3"},
        {"x": dace.Memlet("s[j]")},
        "y = x",
        {"y": dace.Memlet("b[j]")},
        external_edges=True,
        input_nodes={"s": s},
    )
    sdfg.validate()
    fusion = CompositeFusion()
    fusion.setup_match(SubgraphView(state, state.nodes()))
    if not fusion.can_be_applied(sdfg, SubgraphView(state, state.nodes())):
        print("not applied: bug not shown")
        return 0
    fusion.apply(sdfg)
    sdfg.validate()
    added_to = {edge.data.data for edge in state.edges() if edge.data.wcr is not None}
    places = [
        (node, inner) for inner in sdfg.states() for node in inner.data_nodes() if node.data in added_to
    ]
    for node, inner in places:
        print(f"state {inner}: {node} is added to, setzero is {node.setzero}")
    # one access node, which adds: nothing sets the number before
    present = len(places) == 1 and not places[0][0].setzero and sdfg.arrays[places[0][0].data].transient
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
