"""DaCe 2.0.0b1: MapUnroll of one of two maps that read the same array leaves the other without its input.

    for i in 0:2: b[i] = a[i] + 1
    for i in 0:2: c[i] = a[i] + 2

It copies all that is connected with the map for each iteration, the other map too, and eliminates the copy of the map;
the copies of `a` are taken apart with it, and the other map has a connector that nothing comes into.

    python corpus/dace/map_unroll_two_readers.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/simplify+xform:MapUnroll`: `(select(rev(a)), ...)`.
"""

import sys

import dace
from dace.transformation.dataflow.map_unroll import MapUnroll


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG("map_unroll_two_readers")
    for name in "abc":
        sdfg.add_array(name, [2], dace.float64)
    state = sdfg.add_state()
    a = state.add_read("a")
    for number, out in enumerate("bc", 1):
        state.add_mapped_tasklet(
            f"to_{out}",
            {"i": "0:2"},
            {"x": dace.Memlet("a[i]")},
            f"y = x + {number}",
            {"y": dace.Memlet(f"{out}[i]")},
            external_edges=True,
            input_nodes={"a": a},
        )
    sdfg.validate()
    entry = next(node for node in state.nodes() if isinstance(node, dace.nodes.MapEntry))
    MapUnroll.apply_to(sdfg, map_entry=entry)
    try:
        sdfg.validate()
    except dace.sdfg.InvalidSDFGError as error:
        print(f"{type(error).__name__}: {error}".partition("\n")[0])
        print("bug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
