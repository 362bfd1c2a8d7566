"""DaCe 2.0.0b1: OTFMapFusion removes what the first map writes, though a later state reads it.

    for i in 0:4: b[i] = a[i] + 1
    for i in 0:4: c[i] = b[i] * 2
    (next state)
    for i in 0:4: d[i] = b[i]

It asks whether `b` is read elsewhere in the state, not whether it is read in another: nobody writes `b` any more.

    python corpus/dace/otf_map_fusion_read_later.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:OTFMapFusion`: `cummax`, whose carry the next iteration
reads.
"""

import sys

import dace
from dace.transformation.dataflow.otf_map_fusion import OTFMapFusion


def mapped(state, source, target, text, **nodes):
    memlets = {"x": dace.Memlet(f"{source}[i]")}, text, {"y": dace.Memlet(f"{target}[i]")}
    state.add_mapped_tasklet(f"to_{target}", {"i": "0:4"}, *memlets, external_edges=True, **nodes)


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("otf_map_fusion_read_later")
    for name in "acd":
        sdfg.add_array(name, [4], dace.float64)
    sdfg.add_transient("b", [4], dace.float64)
    state = sdfg.add_state(is_start_block=True)
    b = state.add_access("b")
    mapped(state, "a", "b", "y = x + 1", output_nodes={"b": b})
    mapped(state, "b", "c", "y = x * 2", input_nodes={"b": b})
    mapped(sdfg.add_state_after(state), "b", "d", "y = x")
    sdfg.validate()
    applied = sdfg.apply_transformations(OTFMapFusion)
    sdfg.validate()
    nodes = [(node, inner) for inner in sdfg.states() for node in inner.data_nodes() if node.data == "b"]
    written = sum(inner.in_degree(node) > 0 for node, inner in nodes)
    read = sum(inner.out_degree(node) > 0 for node, inner in nodes)
    print(f"applied {applied} times: b is read {read} times and written {written} times")
    present = read > 0 and written == 0
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
