"""DaCe 2.0.0b1: BufferTiling says that it can be applied, and raises in the middle, of maps that it has tiled by then.

    b[i] = a[i]; c[i] = b[3 - i]          ValueError: what it then calls, MapFusionVertical, cannot be applied
    b[i] = a[i]; c[i] = b[i]; d[i] = b[i] + c[i]      StopIteration: b is read by two maps
    b[i] = 0; c[i] = b[i]                 AttributeError: the first map reads nothing

    python corpus/dace/buffer_tiling_raises.py        applies it to each; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:BufferTiling`: `a.T.T`, `sin(a + 0) * (a + 0)`, a
constant.
"""

import sys

import dace
from dace.transformation.dataflow.buffer_tiling import BufferTiling


def sdfg_of(name, steps):
    """Maps over 4 elements, one after the other: (reads, writes, text)."""
    sdfg = dace.SDFG(name)
    names = {memlet[0] for reads, writes, _ in steps for memlet in (*reads.values(), writes)}
    last = steps[-1][1][0]
    for data in sorted(names):
        sdfg.add_array(data, [4], dace.float64, transient=data not in ("a", last))
    state = sdfg.add_state()
    nodes = {data: state.add_access(data) for data in sorted(names)}
    for reads, writes, text in steps:
        state.add_mapped_tasklet(
            f"to_{writes[0]}",
            {"i": "0:4"},
            {conn: dace.Memlet(memlet) for conn, memlet in reads.items()},
            text,
            {"y": dace.Memlet(writes)},
            external_edges=True,
            input_nodes=nodes,
            output_nodes=nodes,
        )
    sdfg.validate()
    return sdfg


CASES = {
    "reversed": [({"x": "a[i]"}, "b[i]", "y = x"), ({"x": "b[3 - i]"}, "c[i]", "y = x")],
    "read_twice": [
        ({"x": "a[i]"}, "b[i]", "y = x"),
        ({"x": "b[i]"}, "c[i]", "y = x"),
        ({"x": "b[i]", "z": "c[i]"}, "d[i]", "y = x + z"),
    ],
    "reads_nothing": [({}, "b[i]", "y = 0"), ({"x": "b[i]"}, "c[i]", "y = x")],
}


def main():
    print("dace", dace.__version__)
    raised = 0
    for name, steps in CASES.items():
        sdfg = sdfg_of(name, steps)
        before = sdfg.hash_sdfg()
        try:
            print(f"{name}: applied {sdfg.apply_transformations(BufferTiling)} times")
        except Exception as error:
            changed = "changed" if sdfg.hash_sdfg() != before else "as it was"
            print(f"{name}: {type(error).__name__}: {error} (the SDFG is {changed})")
            raised += 1
    print("bug present" if raised else "bug not shown")
    return int(raised > 0)


if __name__ == "__main__":
    sys.exit(main())
