"""DaCe 2.0.0b1: BufferTiling writes a whole tile to an array that is smaller than one, where a later state reads it.

    for i in 0:4: b[i] = a[i] + 1
    for i in 0:4: c[i] = b[i] * 2
    (next state)
    for i in 0:4: d[i] = b[i]

The tile is buffered in 128 numbers, of which 4 are set; all 128 are copied to `b`, 124 of them behind its end.

    python corpus/dace/buffer_tiling_read_later.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:BufferTiling`: `cummax` ends with SIGABRT (`free():
invalid next size`), and AddressSanitizer tells of a heap-buffer-overflow.
"""

import sys

import dace
from dace.transformation.dataflow.buffer_tiling import BufferTiling


def mapped(state, source, target, text, **nodes):
    memlets = {"x": dace.Memlet(f"{source}[i]")}, text, {"y": dace.Memlet(f"{target}[i]")}
    state.add_mapped_tasklet(f"to_{target}", {"i": "0:4"}, *memlets, external_edges=True, **nodes)


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("buffer_tiling_read_later")
    for name in "acd":
        sdfg.add_array(name, [4], dace.float64)
    sdfg.add_transient("b", [4], dace.float64)
    state = sdfg.add_state(is_start_block=True)
    b = state.add_access("b")
    mapped(state, "a", "b", "y = x + 1", output_nodes={"b": b})
    mapped(state, "b", "c", "y = x * 2", input_nodes={"b": b})
    mapped(sdfg.add_state_after(state), "b", "d", "y = x")
    sdfg.validate()
    print(f"applied {sdfg.apply_transformations(BufferTiling)} times")
    sdfg.validate()
    beyond = 0
    for edge in state.edges():
        # what goes to b out of the tile's buffer, inside of the map over tiles, which has one iteration: tile_i is 0
        if isinstance(edge.src, dace.nodes.AccessNode) and isinstance(edge.dst, dace.nodes.MapExit):
            copied, there = int(edge.data.src_subset.num_elements()), int(sdfg.arrays["b"].total_size)
            print(f"{edge.src} -> {edge.data}: {copied} numbers; b has {there}")
            beyond += copied > there
    print("bug present" if beyond else "bug not shown")
    return int(beyond > 0)


if __name__ == "__main__":
    sys.exit(main())
