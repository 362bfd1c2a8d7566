"""DaCe 2.0.0b1: MapFusionVertical has a map read what the map that it was fused with has written already.

    for i in 0:4:  x[i] = b[i];  y[i] = a[i]        (one map of two tasklets)
    for i in 0:4:  a[i] = x[i];  b[i] = y[i]

swaps two arrays. Both maps touch the same element of each array at the same i, so the fusion is taken for safe; but in
the fused map nothing orders the tasklet that reads a[i] before the one that writes it: both arrays become the same.

    python corpus/dace/map_fusion_swaps.py        applies it; exit status 1: bug present

Found by `jace-repro fuzz --pipeline canonical/auto-optimize`: the values that a loop carries (`igamma_grad_a`).
"""

import copy
import sys

import dace
import numpy as np
from dace.transformation.dataflow import MapFusionVertical

N = 4


def program():
    sdfg = dace.SDFG("map_fusion_swaps")
    for name in ("a", "b"):
        sdfg.add_array(name, [N], dace.float64)
    for name in ("x", "y"):
        sdfg.add_transient(name, [N], dace.float64)
    state = sdfg.add_state(is_start_block=True)
    between = {name: state.add_access(name) for name in ("x", "y")}
    reads = {name: state.add_read(name) for name in ("a", "b")}
    writes = {name: state.add_write(name) for name in ("a", "b")}
    copies(state, "first", [("b", "x", reads["b"], between["x"]), ("a", "y", reads["a"], between["y"])])
    copies(state, "second", [("x", "a", between["x"], writes["a"]), ("y", "b", between["y"], writes["b"])])
    sdfg.validate()
    return sdfg


def copies(state, label, pairs):
    """A map with a tasklet for each (source, target) with their access nodes."""
    entry, exit_ = state.add_map(label, {"i": f"0:{N}"})
    for source, target, read, write in pairs:
        tasklet = state.add_tasklet(f"{target}_of_{source}", {"p"}, {"q"}, "q = p")
        state.add_memlet_path(read, entry, tasklet, dst_conn="p", memlet=dace.Memlet(f"{source}[i]"))
        state.add_memlet_path(tasklet, exit_, write, src_conn="q", memlet=dace.Memlet(f"{target}[i]"))


def swapped(sdfg):
    a, b = np.arange(N, dtype=np.float64), 10.0 + np.arange(N)
    sdfg(a=a, b=b)
    return a, b


def main():
    print("dace", dace.__version__)
    sdfg = program()
    fused = copy.deepcopy(sdfg)
    count = fused.apply_transformations_repeated(MapFusionVertical)
    fused.validate()
    expected, got = swapped(sdfg), swapped(fused)
    print(f"{count} fusions; expected a = {expected[0]}, b = {expected[1]}; got a = {got[0]}, b = {got[1]}")
    present = not all(map(np.array_equal, expected, got))
    print("bug present" if present else "bug not shown")
    return int(present)


if __name__ == "__main__":
    sys.exit(main())
